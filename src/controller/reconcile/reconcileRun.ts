import { defer, type ObservableInput, type SchedulerLike, Subscription } from 'rxjs';
import { isPromise } from '../leader/tenure.js';
import type { TriggerReason } from './trigger.js';

/** What the reconcile function is given. */
export interface ReconcileRequest {
  /** The key that needs work: `namespace/name`, or `name`. Read the newest state from a cache; an object that is missing there was deleted. */
  readonly key: string;
  /** Why: for logs and metrics. Two causes may have become one call, so decide by the state and not by the reasons. */
  readonly reasons: readonly TriggerReason[];
  /** Which try in a row this is: 1 unless the one before failed. */
  readonly attempt: number;
  /** Aborts when the work must end: past the deadline, or when the loop is stopped. */
  readonly signal: AbortSignal;
}

/** What the reconcile function may answer. */
export interface ReconcileResult {
  /**
   * Call again after so many milliseconds (at least 1), whatever happens meanwhile. An event for the key may call sooner and does not cancel it;
   * of several such times the earliest counts.
   */
  readonly requeueAfterMs?: number;
}

/** What ends a run: its last value, or why it failed. */
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

  // Made when it is asked for: most functions never do, and a controller per call costs more than the call.
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

function expectInput(returned: ObservableInput<unknown>): ObservableInput<unknown> {
  if ((returned as unknown) !== undefined) return returned;
  throw new TypeError('Expected `reconcile` to return a promise or an Observable, got undefined; declare the function async');
}

/** One call of the reconcile function, from its begin to its only end, which closes the subscription. */
export class ReconcileRun {
  readonly request: Request;
  readonly priority: number;
  readonly startedAt: number;
  private readonly onEnd: (run: ReconcileRun, end: RunEnd) => void;
  private readonly subscription = new Subscription();

  constructor(
    taken: Omit<ReconcileRequest, 'signal'>,
    priority: number,
    startedAt: number,
    onEnd: (run: ReconcileRun, end: RunEnd) => void,
  ) {
    this.request = new Request(taken.key, taken.reasons, taken.attempt);
    this.priority = priority;
    this.startedAt = startedAt;
    this.onEnd = onEnd;
  }

  /** Calls back when the run is under way for so long. */
  watch(afterMs: number, scheduler: SchedulerLike, onStuck: () => void): void {
    if (afterMs !== Infinity && !this.subscription.closed) this.subscription.add(scheduler.schedule(onStuck, afterMs));
  }

  /** @param onPromise - Called with a promise that the function returns: it goes on when the run is cut off. */
  begin(
    reconcile: (request: ReconcileRequest) => ObservableInput<unknown>,
    deadlineMs: number,
    scheduler: SchedulerLike,
    onPromise: (promise: PromiseLike<unknown>) => void,
  ): void {
    if (deadlineMs !== Infinity) {
      const late = (): void => this.cut('TimeoutError', `took longer than ${deadlineMs} ms`);
      this.subscription.add(scheduler.schedule(late, deadlineMs));
    }
    let result: unknown;
    this.subscription.add(
      defer(() => {
        const returned = expectInput(reconcile(this.request));
        if (isPromise(returned)) onPromise(returned);
        return returned;
      }).subscribe({
        next: (value) => (result = value),
        error: (error: unknown) => this.end({ error }),
        complete: () => this.end({ result }),
      }),
    );
  }

  /** Ends the run from outside: as a failure, with its signal aborted. */
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
