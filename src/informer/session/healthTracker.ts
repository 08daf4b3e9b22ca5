import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { InformerHealth, LinkState, ResourceChange, SourceEvent, SourceStatus } from '../../api/events.js';
import { definedOf } from '../../api/options.js';
import { dateOf } from '../../rx/schedulerOf.js';
import { follow } from '../../rx/trampoline.js';
import { CollectionHealth } from './collectionHealth.js';
import type { ErrorReporter } from './errorReporter.js';
import type { Attached } from '../parts/part.js';
import type { InformerContext } from './informerContext.js';
import type { Indexer } from '../../cache/store/store.js';

interface Link {
  readonly state: LinkState;
  readonly attempt?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
  readonly error?: InformerError | undefined;
  /** Whether the state was inferred from other events, since the source emitted none. */
  readonly implied?: boolean;
}

interface ScopeHealth {
  link?: Link | undefined;
  version: string;
  /** When the scope was last known to be current: a complete list, an open watch, or an event. */
  currentAt?: number;
  /** The number of objects received in the current list; undefined outside of a list. */
  received?: number | undefined;
  /** Whether this session has completed a list, and whether the current one counts. */
  isSynced?: boolean;
  counts?: boolean;
  /** The times of its last ten lists that counted, and of its last ten watches that closed too soon. */
  readonly lists: number[];
  readonly briefWatches: number[];
}

const severity: Readonly<Record<LinkState, number>> = { watching: 0, listing: 1, retrying: 2 };

function linkAfter(before: Link | undefined, { state, error, attempt, nextAttemptAt }: SourceStatus): Link {
  if (error !== undefined) return { state, error, attempt, nextAttemptAt };
  // A new list does not mean that the failure is over.
  return state === 'watching' ? { state } : { state, error: before?.error, attempt: before?.attempt };
}

/** Whether the watch was open until this status. Silence proves nothing: the connection may have been dead for long. */
function wasOpen({ error }: SourceStatus, link: Link | undefined): boolean {
  const isSilence = error?.code === 'ERR_WATCH_START' && error.cause === undefined;
  return link?.state === 'watching' && link.error === undefined && !isSilence;
}

/** Whether the cached scope was up to date at this event. */
function isLive(event: SourceEvent<unknown>, { currentAt, received, link }: ScopeHealth): boolean {
  if (event.type === 'ready') return true;
  if (currentAt === undefined || received !== undefined) return false;
  if (event.type === 'status') return event.state === 'watching' ? event.error === undefined : wasOpen(event, link);
  return event.type !== 'init' && event.type !== 'page';
}

/** How many past times are kept of each kind. */
const keptTimes = 10;

function noteTime(times: number[], at: number): void {
  times.push(at);
  if (times.length > keptTimes) times.shift();
}

/** The state of one scope of an informer. */
export interface ScopeFigures {
  readonly scope: string;
  readonly state: string;
  readonly resourceVersion: string;
  readonly error?: Error | undefined;
  /**
   * The times of its last ten completed lists, and of its last ten watches that ended at once. Periodic lists do not count, nor do further first lists of a session, as of
   * a shard that changes.
   */
  readonly lists: readonly number[];
  readonly briefWatches: readonly number[];
}

/** The health of a source, by scope, from its events. */
class SourceHealth {
  lastEventAt: number | undefined;
  lastBookmarkAt: number | undefined;
  private readonly scopes = new Map<string, ScopeHealth>();

  /** Handles an event; returns whether it may change the state of a link. */
  note(event: SourceEvent<unknown>, at: number): boolean {
    const scope = this.of(event.scope ?? '');
    const { link } = scope;
    if (isLive(event, scope)) scope.currentAt = at;
    switch (event.type) {
      case 'status':
        scope.link = linkAfter(link, event);
        // A watch without a cause was closed normally, but too soon.
        if (event.error?.code === 'ERR_WATCH' && event.error.cause === undefined) noteTime(scope.briefWatches, at);
        if (event.state !== 'listing') scope.received = undefined;
        break;
      case 'init':
        scope.received = 0;
        scope.counts = event.reason === 'first' ? !scope.isSynced : event.reason !== 'period';
        if (link === undefined || link.implied === true) scope.link = { state: 'listing', implied: true };
        break;
      case 'page':
        if (scope.received !== undefined) scope.received += event.items.length;
        break;
      case 'ready':
        // A list that was refused or broken off is an attempt, and counts as such.
        if (scope.received !== undefined && scope.counts) noteTime(scope.lists, at);
        scope.received = undefined;
        scope.isSynced = true;
        if (event.resourceVersion !== '') scope.version = event.resourceVersion;
        if (link?.implied === true) scope.link = { state: 'watching', implied: true };
        // The list beside the watch has succeeded, whatever failed before.
        else if (link?.state === 'watching' && link.error !== undefined) scope.link = { state: 'watching' };
        break;
      default:
        if (event.type === 'bookmark') this.lastBookmarkAt = at;
        else this.lastEventAt = at;
        if (scope.received === undefined) {
          if (event.resourceVersion !== '') scope.version = event.resourceVersion;
        } else if (event.type === 'added') {
          // Objects of a streamed list are not in the cache yet.
          scope.received += 1;
        }
        if (link?.state === 'watching' && link.error !== undefined) scope.link = { state: 'watching' };
    }
    return scope.link !== link;
  }

  drop(scope: string): void {
    this.scopes.delete(scope);
  }

  /** The source has been unsubscribed from: versions and counts stay. */
  leave(): void {
    for (const scope of this.scopes.values()) {
      scope.link = undefined;
      scope.received = undefined;
      scope.isSynced = false;
    }
  }

  /** The version of one scope; `''` if it has none. */
  versionOf(scope: string): string {
    return this.scopes.get(scope)?.version ?? '';
  }

  /** The link in the worst state; undefined if there is none. */
  worst(): Link | undefined {
    let result: Link | undefined;
    for (const { link } of this.scopes.values()) {
      if (link === undefined) continue;
      if (result === undefined || severity[link.state] > severity[result.state]) result = link;
      else if (link.state === result.state && result.error === undefined) result = link;
    }
    return result;
  }

  /** The number of objects received in current lists; undefined outside of lists. */
  received(): number | undefined {
    const counts = [...this.scopes.values()].flatMap(({ received }) => received ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
  }

  /** The state of each scope. */
  figures(): ScopeFigures[] {
    return [...this.scopes].map(([scope, { link, version, lists, briefWatches }]) => ({
      scope,
      state: link?.state ?? 'idle',
      resourceVersion: version,
      error: link?.error,
      lists: [...lists],
      briefWatches: [...briefWatches],
    }));
  }

  /** When the cache was last known to be current, in the scope where that is longest ago; undefined before the first list is complete. */
  currentAt(): number | undefined {
    const times = [...this.scopes.values()].flatMap(({ currentAt }) => currentAt ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  of(name: string): ScopeHealth {
    const known = this.scopes.get(name);
    if (known !== undefined) return known;
    const made: ScopeHealth = { version: '', lists: [], briefWatches: [] };
    this.scopes.set(name, made);
    return made;
  }
}

interface HealthTrackerOptions extends Pick<InformerContext<unknown>, 'turns' | 'scheduler'> {
  /** Reports a failure of the source. Returns whether it ends the informer. */
  readonly sourceFailed: ErrorReporter['sourceFailed'];
  readonly indexer: Pick<Indexer<unknown>, 'lastStoreSyncResourceVersion'>;
  readonly degraded: ReadonlySet<string>;
  /** The scopes to wait for, if there are several. */
  readonly scopes: ReadonlySet<string> | undefined;
}

/** The health of the worst link, or of the informer without links. */
type LinkHealth = Pick<InformerHealth, 'state'> & Omit<Link, 'state'>;

/** Computes the health of an informer. A source of several scopes has a link for each; the worst one counts. */
export class HealthTracker extends CollectionHealth {
  private readonly options: HealthTrackerOptions;
  readonly source: SourceHealth = new SourceHealth();
  /** What the parts of the informer know of its health. */
  parts: Pick<Attached, 'savedAt' | 'unverifiedSince'> = {};
  private state: InformerHealth['state'] = 'idle';
  private fatal: InformerError | undefined;
  private refreshing = false;
  private emittedDegraded = 0;
  private emitted: string;

  constructor(options: HealthTrackerOptions) {
    super(options.turns, options.scheduler);
    this.options = options;
    this.emitted = this.digest();
  }

  health(): InformerHealth {
    const { source, options, fatal } = this;
    const { lastEventAt, lastBookmarkAt } = source;
    const { attempt, nextAttemptAt, error = fatal } = this.link();
    return {
      state: this.state,
      since: this.since,
      resourceVersion: options.indexer.lastStoreSyncResourceVersion(),
      synced: this.isSynced,
      ...definedOf({ unverifiedSince: this.parts.unverifiedSince?.() }),
      ...definedOf({ received: source.received(), staleMs: this.staleMs(), lastEventAt, lastBookmarkAt, attempt, nextAttemptAt, error }),
      degraded: [...options.degraded],
    };
  }

  /** Observes what a source emits, and reports its failures. A session lasts as long as the subscription. */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
    const { scheduler } = this;
    const { indexer, scopes, sourceFailed } = this.options;
    return (source) =>
      new Observable((subscriber) => {
        let inTouch = false;
        this.phase = 'running';
        this.isSynced = false;
        this.check(true);
        subscriber.add(() => this.end('idle'));
        const next = (event: SourceEvent<T>): void => {
          if (event.type !== 'status') {
            inTouch ||= event.type !== 'init';
          } else if (event.error !== undefined && sourceFailed(event.error, event.state, inTouch)) {
            subscriber.error(event.error);
            return;
          }
          const health = this.source.of(event.scope ?? '');
          const { version } = health;
          const changed = this.source.note(event, scheduler.now());
          const left = event.type === 'ready' && scopes?.has(event.scope) === false;
          if (left) this.source.drop(event.scope);
          subscriber.next(event);
          // The cache takes back a change that ends the session while it is made.
          if (subscriber.closed && health.version !== indexer.lastStoreSyncResourceVersion()) health.version = version;
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

  override stop(error?: Error): void {
    if (error instanceof InformerError) this.fatal = error;
    super.stop(error);
  }

  /** Emits the health at the end of the turn if it has changed. The size of `degraded` is checked, too. */
  check(changed = false): void {
    if (this.refreshing || (!changed && this.options.degraded.size === this.emittedDegraded)) return;
    this.refreshing = true;
    this.turns.after(this.refresh);
  }

  protected override end(phase: 'idle' | 'stopped'): void {
    if (this.phase === 'stopped') return;
    this.phase = phase;
    if (phase === 'idle') this.isSynced = false;
    this.source.leave();
    this.check(true);
  }

  private readonly refresh = (): void => {
    const { degraded } = this.options;
    this.refreshing = false;
    this.emittedDegraded = degraded.size;
    const { state } = this.link();
    if (state !== this.state) {
      this.state = state;
      this.since = this.scheduler.now();
    }
    const digest = this.digest();
    if (digest !== this.emitted) {
      this.emitted = digest;
      this.emitHealth();
    }
  };

  private staleMs(): number | undefined {
    const { scheduler } = this;
    const savedAt = this.parts.savedAt?.();
    if (savedAt !== undefined) return Math.max(0, dateOf(scheduler) - savedAt);
    const currentAt = this.source.currentAt();
    return currentAt === undefined ? undefined : scheduler.now() - currentAt;
  }

  private link(): LinkHealth {
    if (this.phase !== 'running') return { state: this.phase };
    if (this.parts.savedAt?.() !== undefined) return { ...this.source.worst(), state: 'restored' };
    return this.source.worst() ?? { state: this.isSynced ? 'watching' : 'listing' };
  }

  /** The parts of the health whose changes are emitted. During a list, a sync and a failure are emitted with the next state. */
  private digest(): string {
    const { attempt, nextAttemptAt, error } = this.link();
    const isSynced = this.state !== 'listing' && this.isSynced;
    return [
      this.state,
      this.state === 'watching' && error?.message,
      attempt,
      nextAttemptAt,
      this.emittedDegraded,
      isSynced,
      this.parts.unverifiedSince?.(),
    ].join();
  }
}
