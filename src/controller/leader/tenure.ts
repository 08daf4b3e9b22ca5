import { defer, Observable, type ObservableInput, type Observer, Subscription } from 'rxjs';
import { LeaderElectionError } from './leaderElectionError.js';

/** What a tenure has come to. */
export interface TenureState {
  /** `closing`: what is under way goes on, and nothing new begins. `over`: nothing may be sent any more. */
  readonly phase: 'open' | 'closing' | 'over';
  /** The moment at which it ends unless it is renewed, by the clock of this process. */
  readonly until: number;
  /** How much work has begun and not ended. A promise that ignores its signal is at work until it settles. */
  readonly works: number;
}

/** What happens to a tenure. `enter` asks whether work may begin; `keep` reports work that has begun already; `leave` ends either. */
export type TenureEvent =
  | { readonly type: 'renewed'; readonly until: number }
  | { readonly type: 'enter'; readonly now: number }
  | { readonly type: 'keep' }
  | { readonly type: 'leave' }
  | { readonly type: 'send'; readonly now: number }
  | { readonly type: 'close' }
  | { readonly type: 'end' };

/**
 * What follows. `grant` and `refuse` answer `enter` and `send`. `abort` cuts off what is under way. `quiet` says that nothing works any more: what the
 * tenure was about may be given to another process.
 */
export type TenureEffect = 'grant' | 'refuse' | 'abort' | 'quiet';

/** The next state, and what is to be done, in this order. */
export interface TenureStep {
  readonly state: TenureState;
  readonly effects: readonly TenureEffect[];
}

/** Whether requests may be sent at this moment. */
export function lasts({ phase, until }: TenureState, now: number): boolean {
  return phase !== 'over' && now < until;
}

/**
 * The rules of a tenure: the time in which a lease, or a slot of a group, is this process's. Pure, so that every order of events can be tried.
 *
 * - A request is granted while the tenure lasts by the clock, not while a timer has not run yet. It is asked for before every sending: the first one, those
 *   after a `Retry-After`, and those that waited for their turn.
 * - A tenure that has passed its time is over for good, whoever finds that out: a renewal that comes later does not bring it back.
 * - What it was about is given back when no work is left.
 */
export function tenureStep(state: TenureState, event: TenureEvent): TenureStep {
  switch (event.type) {
    case 'renewed':
      return { state: state.phase === 'over' ? state : { ...state, until: event.until }, effects: [] };
    case 'enter':
      if (!lasts(state, event.now)) return refused(state);
      if (state.phase === 'closing') return { state, effects: ['refuse'] };
      return { state: { ...state, works: state.works + 1 }, effects: ['grant'] };
    case 'keep':
      return { state: { ...state, works: state.works + 1 }, effects: [] };
    case 'send':
      return lasts(state, event.now) ? { state, effects: ['grant'] } : refused(state);
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

function ended(state: TenureState): TenureStep {
  if (state.phase === 'over') return { state, effects: [] };
  const isQuiet = state.works === 0 && state.phase === 'open';
  return { state: { ...state, phase: 'over' }, effects: isQuiet ? ['abort', 'quiet'] : ['abort'] };
}

/** Who finds that the time is over ends the tenure: the timer that was to do it may be late. */
function refused(state: TenureState): TenureStep {
  const { state: next, effects } = ended(state);
  return { state: next, effects: ['refuse', ...effects] };
}

/** What a tenure is made of. */
export interface TenureInit {
  /** What a request is told that comes too late. */
  readonly what: string;
  readonly now: () => number;
  /** Absent where `within` decides. */
  readonly until?: number | undefined;
  /** A tenure that has to last, too. */
  readonly within?: Tenure | undefined;
  readonly onQuiet?: (() => void) | undefined;
}

/** A tenure under way: carries out what `tenureStep` says. */
export class Tenure {
  private readonly init: TenureInit;
  private readonly aborter = new AbortController();
  readonly signal: AbortSignal = this.aborter.signal;
  /** One listener on the signal for each request would make Node warn of a leak. */
  private readonly onEnds = new Set<() => void>();
  private state: TenureState;
  private reason: unknown;

  constructor(init: TenureInit) {
    this.init = init;
    this.state = { phase: 'open', until: init.until ?? Infinity, works: 0 };
    const { within: outer } = init;
    if (outer !== undefined) this.onEnd(outer.onEnd(() => this.end(outer.signal.reason)));
  }

  /** Whether it lasts, by the clock. */
  isValid(): boolean {
    return lasts(this.state, this.init.now()) && this.init.within?.isValid() !== false;
  }

  /** Whether work may begin, is being ended, or has ended. Aborted work has ended: its client sends nothing. */
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

  /** Begins work; false when there must be none. */
  enter(): boolean {
    const { within, now } = this.init;
    if (within?.isValid() === false || !this.asked({ type: 'enter', now: now() })) return false;
    within?.begun();
    return true;
  }

  /** Ends work that `enter` has begun. */
  leave(): void {
    this.apply({ type: 'leave' });
    this.init.within?.leave();
  }

  /** Counts work that has begun already, until it settles. */
  keep(work: PromiseLike<unknown>): void {
    this.begun();
    const ended = (): void => this.leave();
    work.then(ended, ended);
  }

  /** To be called right before a request is sent. Throws a LeaderElectionError when it must not be. */
  readonly beforeSend = (): void => {
    if (this.init.within?.isValid() === false || !this.asked({ type: 'send', now: this.init.now() })) throw this.lost();
  };

  /** Lets no new work begin. */
  close(): void {
    this.apply({ type: 'close' });
  }

  /** Aborts what is under way. */
  end(reason: unknown): void {
    this.reason = reason;
    this.apply({ type: 'end' });
  }

  /** Calls back when it ends. The result takes that back. */
  onEnd(callback: () => void): () => void {
    if (this.signal.aborted) callback();
    else this.onEnds.add(callback);
    return () => this.onEnds.delete(callback);
  }

  /** What a request is told that comes too late. */
  lost(cause?: unknown): LeaderElectionError {
    const { within: outer } = this.init;
    if (outer?.isValid() === false) return outer.lost(cause);
    return new LeaderElectionError('ERR_LEADERSHIP_LOST', `${this.init.what}: no request is sent`, cause);
  }

  private begun(): void {
    this.apply({ type: 'keep' });
    this.init.within?.begun();
  }

  private asked(event: TenureEvent): boolean {
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

/** Whether something can be waited for, as promises can. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

let current: Tenure | undefined;

/** The tenure for which something is being subscribed to, or unsubscribed from, at this moment. */
export function currentTenure(): Tenure | undefined {
  return current;
}

/** Runs an action for a tenure: control loops that begin or end in it count their calls as its work. */
export function within<T>(tenure: Tenure, action: () => T): T {
  const before = current;
  current = tenure;
  try {
    return action();
  } finally {
    current = before;
  }
}

/** Subscribes to `source`, and unsubscribes from it, for a tenure. */
export function duringTenure<T>(tenure: Tenure, source: () => ObservableInput<T>): Observable<T> {
  return new Observable((subscriber) => {
    const inner = new Subscription();
    subscriber.add(() => within(tenure, () => inner.unsubscribe()));
    // Not the subscriber itself: it would take the place of what is to be unsubscribed from in here.
    const observer: Observer<T> = {
      next: (value) => subscriber.next(value),
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    };
    within(tenure, () => inner.add(defer(source).subscribe(observer)));
  });
}
