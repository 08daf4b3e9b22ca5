import { expectArgument, rules, similarTo } from 'rx-informer/internal';
import { defer, type ObservableInput, type SchedulerLike, Subscription } from 'rxjs';
import { takeWork } from '../leader/tenure.js';
import type { TriggerReason } from './trigger.js';

/** The argument of the reconcile function. */
export interface ReconcileRequest {
  /** The key that needs work: `namespace/name`, or `name`. Read the newest state from a cache; an object missing there was deleted. */
  readonly key: string;
  /** The reasons, for logs and metrics. Several triggers may share one call, so decide by the state and not by the reasons. */
  readonly reasons: readonly TriggerReason[];
  /** The number of this attempt: 1 unless the previous call failed. */
  readonly attempt: number;
  /** Aborts when the work must end: at the deadline, or when the loop is stopped. */
  readonly signal: AbortSignal;
}

/** The result of the reconcile function. */
export interface ReconcileResult {
  /**
   * Requests another call after this many milliseconds (at least 1). A call for the key before that replaces the request: it decides anew.
   */
  readonly requeueAfterMs?: number | undefined;
}

/** Throws for a misspelt `requeueAfterMs`, which would otherwise be ignored. */
function expectNoSimilarName(result: unknown): void {
  if (typeof result !== 'object' || result === null) return;
  const misspelt = Object.keys(result).find((name) => /^requeue/i.test(name) || similarTo(name, ['requeueAfterMs']) !== '');
  if (misspelt === undefined || misspelt === 'requeueAfterMs') return;
  throw new TypeError(`Unknown name \`${misspelt}\` in the result of \`reconcile\`; did you mean \`requeueAfterMs\`?`);
}

const notNegative = rules.number({ min: 0 });

/** The requested delay, at least 1, so that requeueing cannot block the event loop. */
export function requeueAfterMsOf(result: unknown): number | undefined {
  const asked = (result as { readonly requeueAfterMs?: unknown } | null | undefined)?.requeueAfterMs;
  if (asked === undefined) {
    expectNoSimilarName(result);
    return undefined;
  }
  expectArgument('reconcile', 'requeueAfterMs', asked, notNegative);
  return Math.max(asked as number, 1);
}

/** The result of a run: its last value, or its error. */
export type RunEnd = { readonly result: unknown } | { readonly error: unknown };

class Request implements ReconcileRequest {
  readonly key: string;
  readonly reasons: readonly TriggerReason[];
  readonly attempt: number;
  private aborter: AbortController | undefined;
  private abortReason: unknown;

  constructor(key: string, reasons: readonly TriggerReason[], attempt: number) {
    this.key = key;
    this.reasons = reasons;
    this.attempt = attempt;
  }

  // Created on demand: most functions do not use it, and creating one takes longer than the call.
  get signal(): AbortSignal {
    this.aborter ??= new AbortController();
    if (this.abortReason !== undefined) this.aborter.abort(this.abortReason);
    return this.aborter.signal;
  }

  abort(reason: Error): void {
    this.abortReason = reason;
    this.aborter?.abort(reason);
  }
}

/** @throws TypeError when the reconcile function has returned nothing. */
export function expectInput<R>(returned: ObservableInput<R>): ObservableInput<R> {
  if ((returned as unknown) !== undefined) return returned;
  throw new TypeError('Expected `reconcile` to return a promise or an Observable, got undefined; declare the function async');
}

/** The part of the settings of a loop that its runs use. */
interface RunSettings {
  reconcile(request: ReconcileRequest): ObservableInput<unknown>;
  readonly deadlineMs: number;
  readonly stuckAfterMs: number;
  readonly scheduler: SchedulerLike;
}

/** One call of the reconcile function, from its start to its end, which closes the subscription. */
export class ReconcileRun {
  readonly request: Request;
  readonly priority: number;
  readonly startedAt: number;
  private readonly settings: RunSettings;
  private readonly onEnd: (run: ReconcileRun, end: RunEnd) => void;
  private readonly subscription = new Subscription();

  constructor(
    settings: RunSettings,
    taken: Omit<ReconcileRequest, 'signal'>,
    priority: number,
    onEnd: (run: ReconcileRun, end: RunEnd) => void,
  ) {
    this.request = new Request(taken.key, taken.reasons, taken.attempt);
    this.priority = priority;
    this.startedAt = settings.scheduler.now();
    this.settings = settings;
    this.onEnd = onEnd;
  }

  /** Calls `onStuck` when the run has taken `stuckAfterMs`. */
  watch(onStuck: () => void): void {
    const { scheduler, stuckAfterMs } = this.settings;
    if (stuckAfterMs !== Infinity && !this.subscription.closed) this.subscription.add(scheduler.schedule(onStuck, stuckAfterMs));
  }

  /** @param onPromise - called with what continues when the run is aborted: a promise, or an async generator at work. */
  begin(onPromise: (promise: PromiseLike<unknown>) => void): void {
    const { scheduler, deadlineMs } = this.settings;
    if (deadlineMs !== Infinity) {
      const late = (): void => this.cut('TimeoutError', `took longer than ${deadlineMs} ms`);
      this.subscription.add(scheduler.schedule(late, deadlineMs));
    }
    let result: unknown;
    this.subscription.add(
      defer(() => {
        const { output, pending } = takeWork(expectInput(this.settings.reconcile(this.request)));
        if (pending !== undefined) onPromise(pending);
        return output;
      }).subscribe({
        next: (value) => (result = value),
        error: (error: unknown) => this.end({ error }),
        complete: () => this.end({ result }),
      }),
    );
  }

  /** Aborts the run: it fails, and its signal aborts. */
  stop(): void {
    this.cut('AbortError', 'was stopped');
  }

  private cut(name: string, what: string): void {
    const error = Object.assign(new Error(`Reconciling ${JSON.stringify(this.request.key)} ${what}`), { name });
    this.end({ error }, () => this.request.abort(error));
  }

  private end(end: RunEnd, abort?: () => void): void {
    if (this.subscription.closed) return;
    this.subscription.unsubscribe();
    abort?.();
    this.onEnd(this, end);
  }
}
