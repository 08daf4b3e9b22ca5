import { defer, type MonoTypeOperatorFunction, Observable, of, startWith, Subject, tap } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { definedOf } from '../../api/options/definedOf.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { dateOf } from '../../rx/schedulerOf.js';
import { follow } from '../../rx/follow.js';
import type { InformerContext } from './informerContext.js';
import { SourceHealth } from './sourceHealth.js';

interface HealthTrackerOptions extends Pick<InformerContext<unknown>, 'turns' | 'scheduler'> {
  readonly resourceVersion: () => string;
  readonly degraded: ReadonlySet<string>;
  /** The scopes to wait for, where there are several; from others, nothing is known any more when they are complete. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** When an earlier run has saved what is read in the place of the cache, in milliseconds since 1970; undefined where the cache itself is read. */
  readonly savedAt: () => number | undefined;
}

/** How the worst link is, or what stands in its place. */
type LinkHealth = Pick<InformerHealth, 'state'> & {
  readonly [name in 'attempt' | 'nextAttemptAt' | 'error']?: InformerHealth[name] | undefined;
};

/** Knows how an informer is. Sources of several scopes have a link each; the one that is worst off speaks for all. */
export class HealthTracker {
  /** The current health, then every change of its state. */
  readonly health$: Observable<InformerHealth>;
  /** Emits when every scope is complete, or is so already; ends as the informer does. */
  readonly synced$: Observable<void>;
  private readonly firstSync$ = new Subject<void>();
  private readonly options: HealthTrackerOptions;
  private readonly change$ = new Subject<InformerHealth>();
  private readonly source = new SourceHealth();
  private phase: 'idle' | 'running' | 'stopped' = 'idle';
  private state: InformerHealth['state'] = 'idle';
  private since: number;
  private isSynced = false;
  private fatal: InformerError | undefined;
  private refreshing = false;
  private emittedSynced = false;
  private emittedDegraded = 0;
  private emitted: string;

  constructor(options: HealthTrackerOptions) {
    this.options = options;
    this.since = options.scheduler.now();
    this.emitted = this.digest();
    this.synced$ = defer((): Observable<void> => (this.isSynced ? of(undefined) : this.firstSync$));
    this.health$ = defer(() => this.change$.pipe(startWith(this.health())));
  }

  health(): InformerHealth {
    const { source, options, fatal } = this;
    const { lastEventAt, lastBookmarkAt } = source;
    const { attempt, nextAttemptAt, error = fatal } = this.link();
    return {
      state: this.state,
      since: this.since,
      resourceVersion: options.resourceVersion(),
      synced: this.isSynced,
      ...definedOf({ received: source.received(), staleMs: this.staleMs(), lastEventAt, lastBookmarkAt, attempt, nextAttemptAt, error }),
      degraded: [...options.degraded],
    };
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  /** The version of one scope; `''` when it has none. */
  resourceVersion(scope: string): string {
    return this.source.versionOf(scope);
  }

  /** Follows what a source emits. A session lasts as long as the subscription. */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
    const { scopes, scheduler } = this.options;
    return (source) =>
      new Observable((subscriber) => {
        this.begin();
        subscriber.add(() => this.end('idle'));
        const next = (event: SourceEvent<T>): void => {
          const changed = this.source.note(event, scheduler.now());
          const left = event.type === 'ready' && scopes?.has(event.scope) === false;
          if (left) this.source.drop(event.scope);
          subscriber.next(event);
          this.check(changed || left);
        };
        follow(source, subscriber, { next });
      });
  }

  followChanges<T>(): MonoTypeOperatorFunction<ResourceChange<T>> {
    return tap(({ synced }) => {
      if (!synced || this.isSynced) return;
      this.isSynced = true;
      this.check(true);
    });
  }

  stop(error?: Error): void {
    if (error instanceof InformerError) this.fatal = error;
    this.end('stopped');
    this.options.turns.after(() => {
      this.change$.complete();
      if (error === undefined) this.firstSync$.complete();
      else this.firstSync$.error(error);
    });
  }

  /** Emits what has changed since the last time, when the turn is over. `degraded` may have changed without a word. */
  check(changed = false): void {
    if (this.refreshing || (!changed && this.options.degraded.size === this.emittedDegraded)) return;
    this.refreshing = true;
    this.options.turns.after(this.refresh);
  }

  private begin(): void {
    this.phase = 'running';
    this.isSynced = false;
    this.emittedSynced = false;
    this.check(true);
  }

  private end(phase: 'idle' | 'stopped'): void {
    if (this.phase === 'stopped') return;
    this.phase = phase;
    if (phase === 'idle') this.isSynced = false;
    this.source.leave();
    this.check(true);
  }

  private readonly refresh = (): void => {
    const { degraded, scheduler } = this.options;
    this.refreshing = false;
    this.emittedDegraded = degraded.size;
    const { state } = this.link();
    if (state !== this.state) {
      this.state = state;
      this.since = scheduler.now();
    }
    const digest = this.digest();
    if (digest !== this.emitted) {
      this.emitted = digest;
      if (this.change$.observed) this.change$.next(this.health());
    }
    if (this.isSynced && !this.emittedSynced) {
      this.emittedSynced = true;
      this.firstSync$.next();
    }
  };

  private staleMs(): number | undefined {
    const { scheduler } = this.options;
    const savedAt = this.options.savedAt();
    if (savedAt !== undefined) return Math.max(0, dateOf(scheduler) - savedAt);
    const heardAt = this.source.heardAt();
    return heardAt === undefined ? undefined : scheduler.now() - heardAt;
  }

  private link(): LinkHealth {
    if (this.phase !== 'running') return { state: this.phase };
    if (this.options.savedAt() !== undefined) return { ...this.source.worst(), state: 'restored' };
    return this.source.worst() ?? { state: this.isSynced ? 'watching' : 'listing' };
  }

  /** What of the health is worth emitting. While it lists, that it has synced is emitted with the state that follows. */
  private digest(): string {
    const { attempt, nextAttemptAt } = this.link();
    return [this.state, attempt, nextAttemptAt, this.emittedDegraded, this.state !== 'listing' && this.isSynced].join();
  }
}
