import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, Subject, tap } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { LinkState, SourceEvent, SourceStatus } from '../../api/events/sourceEvent.js';
import { follow } from '../../rx/follow.js';
import type { Trampoline } from '../../rx/trampoline.js';

/** What a health tracker has to know of its informer. */
interface HealthTrackerOptions {
  /** A change of health is emitted when everybody has been told of what has caused it. */
  readonly turns: Trampoline;
  readonly scheduler: SchedulerLike;
  readonly resourceVersion: () => string;
  readonly degraded: ReadonlySet<string>;
  /** The scopes to wait for, where there are several; from others, nothing is known any more when they are complete. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** Whether what an earlier run has saved is read in the place of the cache. */
  readonly isRestored?: (() => boolean) | undefined;
}

/** How the source of one scope is. */
interface Link {
  readonly state: LinkState;
  readonly attempt?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
  readonly error?: InformerError | undefined;
  /** The source has not emitted any state; this is what its other events imply. */
  readonly implied?: boolean;
}

/** A link, or the lack of one. */
type LinkOrNone = Omit<Link, 'state'> & { readonly state: InformerHealth['state'] };

const severity: Readonly<Record<LinkState, number>> = { watching: 0, listing: 1, retrying: 2 };

/** The link that is worst off; undefined when there is none. */
function worst(links: Iterable<Link>): Link | undefined {
  let result: Link | undefined;
  for (const link of links) {
    if (result === undefined || severity[link.state] > severity[result.state]) result = link;
    else if (link.state === result.state && result.error === undefined) result = link;
  }
  return result;
}

function linkAfter(before: Link | undefined, { state, error, attempt, nextAttemptAt }: SourceStatus): Link {
  if (error !== undefined) return { state, error, attempt, nextAttemptAt };
  // To list again repairs nothing yet.
  return state === 'watching' ? { state } : { state, error: before?.error, attempt: before?.attempt };
}

/**
 * Knows how an informer is. Sources of several scopes have a link each; the one that is worst off speaks for all.
 */
export class HealthTracker {
  /** The current health, then every change of its state. */
  readonly health$: Observable<InformerHealth>;
  /** Emits when every scope is complete for the first time in a session; ends as the informer does. */
  readonly synced$: Observable<void>;
  private readonly firstSync$ = new Subject<void>();
  private readonly options: HealthTrackerOptions;
  private readonly change$ = new Subject<InformerHealth>();
  private readonly links = new Map<string, Link>();
  private readonly versions = new Map<string, string>();
  /** When the server was last heard of, by scope: a list that is complete, a watch that opens, what it brings. */
  private readonly heardAt = new Map<string, number>();
  /** How many objects of the lists under way have arrived, by scope. */
  private readonly received = new Map<string, number>();
  private phase: 'idle' | 'running' | 'stopped' = 'idle';
  private state: InformerHealth['state'] = 'idle';
  private since: number;
  private isSynced = false;
  private lastEventAt: number | undefined;
  private lastBookmarkAt: number | undefined;
  private fatal: InformerError | undefined;
  /** Whether anything may be different from what was emitted last. */
  private changed = false;
  private refreshing = false;
  private emittedSynced = false;
  private emittedDegraded = 0;
  private emitted: string;

  constructor(options: HealthTrackerOptions) {
    this.options = options;
    this.since = options.scheduler.now();
    this.emitted = this.digest();
    this.synced$ = this.firstSync$.asObservable();
    this.health$ = new Observable((subscriber) => {
      subscriber.next(this.health());
      subscriber.add(this.change$.subscribe(subscriber));
    });
  }

  health(): InformerHealth {
    const { lastEventAt, lastBookmarkAt, fatal } = this;
    const { attempt, nextAttemptAt, error = fatal } = this.link();
    return {
      state: this.state,
      since: this.since,
      resourceVersion: this.options.resourceVersion(),
      synced: this.isSynced,
      ...(this.received.size > 0 && { received: this.countReceived() }),
      ...(this.heardAt.size > 0 && { staleMs: this.options.scheduler.now() - Math.min(...this.heardAt.values()) }),
      ...(lastEventAt !== undefined && { lastEventAt }),
      ...(lastBookmarkAt !== undefined && { lastBookmarkAt }),
      ...(attempt !== undefined && { attempt }),
      ...(nextAttemptAt !== undefined && { nextAttemptAt }),
      ...(error !== undefined && { error }),
      degraded: [...this.options.degraded],
    };
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  /** The version of one scope; `''` when it has none. */
  resourceVersion(scope: string): string {
    return this.versions.get(scope) ?? '';
  }

  /** Follows what a source emits. A session lasts as long as the subscription. */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
    const { scopes } = this.options;
    return (source) =>
      new Observable((subscriber) => {
        this.begin();
        subscriber.add(() => {
          if (this.phase === 'running') this.end('idle');
        });
        const next = (event: SourceEvent<T>): void => {
          this.note(event);
          if (event.type === 'ready' && scopes?.has(event.scope) === false) this.drop(event.scope);
          subscriber.next(event);
          this.check();
        };
        follow(source, subscriber, { next });
      });
  }

  /** Follows what becomes of it in the cache. */
  followChanges<T>(): MonoTypeOperatorFunction<ResourceChange<T>> {
    return tap(({ synced }) => {
      if (!synced || this.isSynced) return;
      this.isSynced = true;
      this.changed = true;
      this.check();
    });
  }

  /** The informer is over. */
  stop(error?: Error): void {
    if (error instanceof InformerError) this.fatal = error;
    this.end('stopped');
    this.options.turns.after(() => {
      this.change$.complete();
      if (error === undefined) this.firstSync$.complete();
      else this.firstSync$.error(error);
    });
  }

  /** Emits what has changed since the last time, when the turn is over. */
  check(): void {
    if (this.refreshing || (!this.changed && this.options.degraded.size === this.emittedDegraded)) return;
    this.refreshing = true;
    this.options.turns.after(this.refresh);
  }

  private begin(): void {
    this.phase = 'running';
    this.isSynced = false;
    this.emittedSynced = false;
    this.changed = true;
    this.check();
  }

  private drop(scope: string): void {
    this.links.delete(scope);
    this.versions.delete(scope);
    this.heardAt.delete(scope);
    this.received.delete(scope);
    this.changed = true;
  }

  private end(phase: 'idle' | 'stopped'): void {
    this.phase = phase;
    if (phase === 'idle') this.isSynced = false;
    this.links.clear();
    this.received.clear();
    this.changed = true;
    this.check();
  }

  private note(event: SourceEvent<unknown>): void {
    const scope = event.scope ?? '';
    const link = this.links.get(scope);
    if (this.isLive(event, scope)) this.heardAt.set(scope, this.options.scheduler.now());
    switch (event.type) {
      case 'status':
        this.setLink(scope, linkAfter(link, event));
        if (event.state !== 'listing') this.received.delete(scope);
        break;
      case 'init':
        this.received.set(scope, 0);
        if (link === undefined || link.implied === true) this.setLink(scope, { state: 'listing', implied: true });
        break;
      case 'page':
        this.receive(scope, event.items.length);
        break;
      case 'ready':
        this.received.delete(scope);
        if (event.resourceVersion !== '') this.versions.set(scope, event.resourceVersion);
        if (link?.implied === true) this.setLink(scope, { state: 'watching', implied: true });
        break;
      default:
        if (event.type === 'added') this.receive(scope, 1);
        if (event.type === 'bookmark') this.lastBookmarkAt = this.options.scheduler.now();
        else this.lastEventAt = this.options.scheduler.now();
        // What a streamed list brings is not in the cache yet.
        if (event.resourceVersion !== '' && !this.received.has(scope)) this.versions.set(scope, event.resourceVersion);
        if (link?.state === 'watching' && link.error !== undefined) this.setLink(scope, { state: 'watching' });
    }
  }

  /** Whether the cache was right at this moment, as far as this scope goes. */
  private isLive(event: SourceEvent<unknown>, scope: string): boolean {
    if (event.type === 'ready') return true;
    if (!this.heardAt.has(scope) || this.received.has(scope)) return false;
    return event.type === 'status'
      ? event.state === 'watching' && event.error === undefined
      : event.type !== 'init' && event.type !== 'page';
  }

  private readonly refresh = (): void => {
    const { degraded, scheduler } = this.options;
    this.refreshing = false;
    this.changed = false;
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

  /** Counts objects of a list under way. */
  private receive(scope: string, objects: number): void {
    const before = this.received.get(scope);
    if (before !== undefined) this.received.set(scope, before + objects);
  }

  private countReceived(): number {
    let sum = 0;
    for (const objects of this.received.values()) sum += objects;
    return sum;
  }

  private setLink(scope: string, link: Link): void {
    this.links.set(scope, link);
    this.changed = true;
  }

  private link(): LinkOrNone {
    if (this.phase !== 'running') return { state: this.phase };
    if (this.options.isRestored?.() === true) return { ...worst(this.links.values()), state: 'restored' };
    return worst(this.links.values()) ?? { state: this.isSynced ? 'watching' : 'listing' };
  }

  /** What of the health is worth emitting. While it lists, that it has synced is emitted with the state that follows. */
  private digest(): string {
    const { attempt, nextAttemptAt } = this.link();
    return [this.state, attempt, nextAttemptAt, this.emittedDegraded, this.state !== 'listing' && this.isSynced].join();
  }
}
