import { defer, isObservable, Observable, type ObservableInput, type Observer, type Subscriber, Subscription } from 'rxjs';
import { LeaderElectionError } from './leaderElectionError.js';

/** The state of a tenure. */
export interface TenureState {
  /** `closing`: work continues, but no new work begins. `over`: nothing may be sent. */
  readonly phase: 'open' | 'closing' | 'over';
  /** When it ends unless it is renewed, by the clock of this process. */
  readonly until: number;
  /** The number of works that have not ended. A promise that ignores its signal counts until it settles. */
  readonly works: number;
}

/** The inputs of a tenure. `enter` asks whether work may begin; `keep` reports work that has already begun; `leave` ends either. */
export type TenureEvent =
  | { readonly type: 'renewed'; readonly until: number }
  | { readonly type: 'enter'; readonly now: number }
  | { readonly type: 'keep' }
  | { readonly type: 'leave' }
  | { readonly type: 'send'; readonly now: number }
  | { readonly type: 'close' }
  | { readonly type: 'end' };

/**
 * The outputs of a tenure. `grant` answers `enter` and `send`, which are refused without it. `abort` aborts running work. `quiet` means that no work is
 * left: the lease or slot may go to another process.
 */
export type TenureEffect = 'grant' | 'abort' | 'quiet';

/** The next state, and the effects in order. */
export interface TenureStep {
  readonly state: TenureState;
  readonly effects: readonly TenureEffect[];
}

/** Whether requests may be sent now. */
export function lasts({ phase, until }: TenureState, now: number): boolean {
  return phase !== 'over' && now < until;
}

/**
 * The rules of a tenure: the time during which this process has a lease, or a slot of a group. Pure, so that every order of events can be tested.
 *
 * - Requests are granted by the clock, not by a timer, which may be late. Every sending asks: the first one, repetitions after a `Retry-After`, and
 *   requests that were queued.
 * - A tenure whose time has passed is over for good: a later renewal does not revive it.
 * - The lease or slot is released when no work is left.
 */
export function tenureStep(state: TenureState, event: TenureEvent): TenureStep {
  switch (event.type) {
    case 'renewed':
      return { state: state.phase === 'over' ? state : { ...state, until: event.until }, effects: [] };
    case 'enter':
      if (!lasts(state, event.now)) return ended(state);
      if (state.phase === 'closing') return { state, effects: [] };
      return { state: { ...state, works: state.works + 1 }, effects: ['grant'] };
    case 'keep':
      return { state: { ...state, works: state.works + 1 }, effects: [] };
    case 'send':
      return lasts(state, event.now) ? { state, effects: ['grant'] } : ended(state);
    case 'leave': {
      const works = state.works - 1;
      return { state: { ...state, works }, effects: state.phase !== 'open' && works === 0 ? ['quiet'] : [] };
    }
    case 'close':
      if (state.phase !== 'open') return { state, effects: [] };
      return { state: { ...state, phase: 'closing' }, effects: state.works === 0 ? ['quiet'] : [] };
    case 'end':
      return ended(state);
  }
}

/** Also for a tenure whose time is found to have passed: its timer may be late. */
function ended(state: TenureState): TenureStep {
  if (state.phase === 'over') return { state, effects: [] };
  const isQuiet = state.works === 0 && state.phase === 'open';
  return { state: { ...state, phase: 'over' }, effects: isQuiet ? ['abort', 'quiet'] : ['abort'] };
}

/** The dependencies and settings of a tenure. */
export interface TenureInit {
  /** The subject of the error message for late requests, for example the lost leadership. */
  readonly what: string;
  readonly now: () => number;
  /** Absent if `within` decides. */
  readonly until?: number | undefined;
  /** An outer tenure that must be valid as well. */
  readonly within?: Tenure | undefined;
  readonly onQuiet?: (() => void) | undefined;
}

/** A running tenure: carries out the effects of `tenureStep`. */
export class Tenure {
  private readonly init: TenureInit;
  private readonly aborter = new AbortController();
  readonly signal: AbortSignal = this.aborter.signal;
  /** The callbacks at the end. With a listener on the signal for each request, Node would warn of a leak. */
  private readonly onEnds = new Set<() => void>();
  private state: TenureState;
  private reason: unknown;

  constructor(init: TenureInit) {
    this.init = init;
    this.state = { phase: 'open', until: init.until ?? Infinity, works: 0 };
    const { within: outer } = init;
    if (outer !== undefined) this.onEnd(outer.onEnd(() => this.end(outer.signal.reason)));
  }

  /** Whether it is valid, by the clock. */
  isValid(): boolean {
    return lasts(this.state, this.init.now()) && this.init.within?.isValid() !== false;
  }

  /** Whether work may begin (`working`), is ending (`draining`), or has ended (`quiet`). Aborted work counts as ended: its client sends nothing. */
  standing(): 'working' | 'draining' | 'quiet' {
    const { phase, works } = this.state;
    if (phase === 'open') return 'working';
    return works === 0 || phase === 'over' ? 'quiet' : 'draining';
  }

  /** Whether any work has not ended, aborted or not. */
  isBusy(): boolean {
    return this.state.works > 0;
  }

  renew(until: number): void {
    this.apply({ type: 'renewed', until });
  }

  /** Begins work; false when it is not allowed. */
  enter(): boolean {
    const { within, now } = this.init;
    if (within?.isValid() === false || !this.isGranted({ type: 'enter', now: now() })) return false;
    within?.begun();
    return true;
  }

  /** Ends work begun by `enter`. */
  leave(): void {
    this.apply({ type: 'leave' });
    this.init.within?.leave();
  }

  /** Counts work that has already begun, until it settles. */
  keep(work: PromiseLike<unknown>): void {
    this.begun();
    const ended = (): void => this.leave();
    work.then(ended, ended);
  }

  /** Called right before a request is sent. Throws a LeaderElectionError when that is not allowed. */
  readonly beforeSend = (): void => {
    if (this.init.within?.isValid() === false || !this.isGranted({ type: 'send', now: this.init.now() })) throw this.lost();
  };

  /** Allows no new work. */
  close(): void {
    this.apply({ type: 'close' });
  }

  /** Aborts all work. */
  end(reason: unknown): void {
    this.reason = reason;
    this.apply({ type: 'end' });
  }

  /** Registers a callback for the end. The result unregisters it. */
  onEnd(callback: () => void): () => void {
    if (this.signal.aborted) callback();
    else this.onEnds.add(callback);
    return () => this.onEnds.delete(callback);
  }

  /** The error of requests after the end. */
  lost(cause?: unknown): LeaderElectionError {
    const { within: outer } = this.init;
    if (outer?.isValid() === false) return outer.lost(cause);
    return new LeaderElectionError('ERR_LEADERSHIP_LOST', `${this.init.what}: no request is sent`, cause);
  }

  private begun(): void {
    this.apply({ type: 'keep' });
    this.init.within?.begun();
  }

  private isGranted(event: TenureEvent): boolean {
    return this.apply(event).includes('grant');
  }

  private apply(event: TenureEvent): readonly TenureEffect[] {
    const { state, effects } = tenureStep(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect === 'abort') this.abort();
      if (effect === 'quiet') this.init.onQuiet?.();
    }
    return effects;
  }

  private abort(): void {
    this.aborter.abort(this.reason ?? this.lost());
    for (const onEnd of [...this.onEnds]) onEnd();
    this.onEnds.clear();
  }
}

/** The result of a user's function that does work. */
interface Work<R> {
  /** The values. Must be subscribed to exactly once, in the same task. */
  // eslint-disable-next-line rxjs-x/finnish -- a promise, too
  readonly output: ObservableInput<R>;
  /** Settles when the work has ended; undefined when unsubscribing ends it. */
  readonly pending: PromiseLike<unknown> | undefined;
}

async function iterate<R>(values: AsyncIterable<R>, subscriber: Subscriber<R>): Promise<void> {
  const isLeft = (): boolean => subscriber.closed;
  if (isLeft()) return;
  for await (const value of values) {
    subscriber.next(value);
    if (isLeft()) return;
  }
  subscriber.complete();
}

/** Separates the values of a user's work from a promise of its end: a promise, or an async generator before it yields, cannot be unsubscribed from. */
export function takeWork<R>(returned: ObservableInput<R>): Work<R> {
  if (typeof returned !== 'object' || (returned as unknown) === null || isObservable(returned))
    return { output: returned, pending: undefined };
  if ('then' in returned) {
    // A lazy thenable begins its work at each `then`.
    const promise = Promise.resolve(returned);
    return { output: promise, pending: promise };
  }
  if (!(Symbol.asyncIterator in returned)) return { output: returned, pending: undefined };
  let settle = (): void => undefined;
  const pending = new Promise<void>((resolve) => (settle = resolve));
  const output = new Observable<R>((subscriber) => {
    void iterate(returned, subscriber)
      .catch((error: unknown) => subscriber.error(error))
      .finally(settle);
  });
  return { output, pending };
}

let current: Tenure | undefined;

/** The tenure in whose context the current subscription or unsubscription happens. */
export function currentTenure(): Tenure | undefined {
  return current;
}

/** Runs an action in the context of a tenure: control loops that begin or end in it count their calls as its work. */
export function within<T>(tenure: Tenure, action: () => T): T {
  const before = current;
  current = tenure;
  try {
    return action();
  } finally {
    current = before;
  }
}

/** Subscribes to `source`, and unsubscribes from it, in the context of a tenure. */
export function duringTenure<T>(tenure: Tenure, source: () => ObservableInput<T>): Observable<T> {
  return new Observable((subscriber) => {
    const inner = new Subscription();
    subscriber.add(() => within(tenure, () => inner.unsubscribe()));
    // A plain observer: the subscriber itself would be reused, and unsubscription would not run in the context.
    const observer: Observer<T> = {
      next: (value) => subscriber.next(value),
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    };
    within(tenure, () => inner.add(defer(source).subscribe(observer)));
  });
}
