import { expect } from '@jest/globals';
import { EMPTY, type ObservableInput } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

import type { Outcome } from '../../src/reconcile/outcome.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import type { ReconcileConfig } from '../../src/reconcile/reconcileConfig.js';
import type { ReconcileRequest, ReconcileResult } from '../../src/reconcile/reconcileRun.js';
import { exponentialFailure } from 'rx-informer/workqueue';

export type Answer = ObservableInput<ReconcileResult | undefined>;

export const createTestScheduler = (): TestScheduler => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

/** The error handler of a subscription that must not fail. */
export function fail(error: unknown): never {
  throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An outcome as one line, for example `failed a in 5, retry in 10: no luck`. */
export function lineOf(outcome: Outcome): string {
  switch (outcome.type) {
    case 'started':
      return `started ${outcome.key} #${outcome.attempt}`;
    case 'succeeded':
      return `succeeded ${outcome.key} in ${outcome.durationMs}${outcome.requeueAfterMs === undefined ? '' : `, again in ${outcome.requeueAfterMs}`}`;
    case 'failed': {
      const retry = outcome.retryAfterMs === undefined ? '' : `, retry in ${outcome.retryAfterMs}`;
      return `failed ${outcome.key} in ${outcome.durationMs}${retry}: ${messageOf(outcome.error)}`;
    }
    case 'stuck':
      return `stuck ${outcome.key} #${outcome.attempt} since ${outcome.since}`;
    case 'triggerFailed':
      return `triggerFailed ${outcome.source} ${outcome.objectKey}: ${messageOf(outcome.error)}`;
    case 'sourceFailed':
      return `sourceFailed ${outcome.source}: ${messageOf(outcome.error)}`;
    case 'sourceCompleted':
      return `sourceCompleted ${outcome.source}`;
    case 'stopped':
      return `stopped, abandoned [${outcome.abandoned.join(' ')}]`;
  }
}

export interface LoopHelpers extends RunHelpers {
  readonly scheduler: TestScheduler;
  /** Adds a line of the spec to the log. */
  readonly note: (line: string) => void;
}

/**
 * Runs a loop in virtual time, by default for one second and with a backoff of 10 ms, 20 ms, 40 ms, and returns the log: one line per
 * notification, prefixed with its time.
 */
export function outcomeLog(
  configOf: (helpers: LoopHelpers) => Partial<ReconcileConfig> & Pick<ReconcileConfig, 'sources'>,
  options: { readonly forMs?: number; work?(request: ReconcileRequest): Answer } = {},
): string[] {
  const lines: string[] = [];
  const scheduler = createTestScheduler();
  scheduler.run((helpers) => {
    const note = (line: string): void => void lines.push(`${scheduler.now()} ${line}`);
    const rateLimiter = exponentialFailure({ baseMs: 10, maxMs: 1_000 });
    const work = (request: ReconcileRequest): Answer => (options.work === undefined ? EMPTY : options.work(request));
    const subscription = reconcile({ reconcile: work, rateLimiter, scheduler, ...configOf({ ...helpers, scheduler, note }) }).subscribe({
      next: (outcome) => note(lineOf(outcome)),
      error: (error: unknown) => note(`error: ${messageOf(error)}`),
      complete: () => note('complete'),
    });
    scheduler.schedule(() => subscription.unsubscribe(), options.forMs ?? 1_000);
  });
  return lines;
}
