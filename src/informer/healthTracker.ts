import { Observable, type SchedulerLike, Subject } from 'rxjs';
import type { InformerError } from '../api/informerError.js';
import type { InformerHealth } from '../api/informerHealth.js';
import type { LinkState, SourceEvent, SourceStatus } from '../api/sourceEvent.js';

/**
 * Knows how an informer is. Sources of several scopes have a link each; the one that is worst off speaks for all.
 */
export interface HealthTracker {
  /** The current health, then every change of its state. */
  readonly health$: Observable<InformerHealth>;
  health(): InformerHealth;
  hasSynced(): boolean;
  /** The version of one scope; `''` when it has none. */
  resourceVersion(scope: string): string;
  /** A session begins. */
  begin(): void;
  /** Takes note of what the source tells. */
  note(event: SourceEvent<unknown>): void;
  /** Takes note that every scope is complete. */
  synced(): void;
  /** Tells what has changed since. */
  refresh(): void;
  /** A scope has been left. */
  drop(scope: string): void;
  /** The session is over. */
  end(state: 'idle' | 'stopped', error?: unknown): void;
}

/**
 * What a health tracker has to know of its informer.
 */
export interface HealthTrackerOptions {
  readonly scheduler: SchedulerLike;
  readonly resourceVersion: () => string;
  readonly degraded: ReadonlySet<string>;
}

interface Link {
  readonly state: LinkState;
  readonly attempt?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
  readonly error?: InformerError | undefined;
  /** The source has not told any state; this is what its other events imply. */
  readonly implied?: boolean;
}

/** A link, or the lack of one. */
type SessionState = Omit<Link, 'state'> & { readonly state: InformerHealth['state'] };

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
  if (error !== undefined) return { state, error, attempt, nextAttemptAt, implied: false };
  // To list again repairs nothing yet.
  return state === 'watching' ? { state, implied: false } : { state, error: before?.error, attempt: before?.attempt, implied: false };
}

export function createHealthTracker({ scheduler, resourceVersion, degraded }: HealthTrackerOptions): HealthTracker {
  const changes = new Subject<InformerHealth>();
  const links = new Map<string, Link>();
  const versions = new Map<string, string>();
  let phase: 'idle' | 'running' | 'stopped' = 'idle';
  let since = scheduler.now();
  let isSynced = false;
  let lastEventAt: number | undefined;
  let lastBookmarkAt: number | undefined;
  let fatal: InformerError | undefined;
  let lastState: InformerHealth['state'] = 'idle';
  let changed = false;
  let toldDegraded = 0;
  let told = ['idle', undefined, undefined, 0, false].join();

  const sessionState = (): SessionState => {
    if (phase !== 'running') return { state: phase };
    return worst(links.values()) ?? { state: isSynced ? 'watching' : 'listing' };
  };

  const health = (): InformerHealth => {
    const { attempt, nextAttemptAt, error = fatal, state }: SessionState = sessionState();
    return {
      state,
      since,
      resourceVersion: resourceVersion(),
      synced: isSynced,
      ...(lastEventAt !== undefined && { lastEventAt }),
      ...(lastBookmarkAt !== undefined && { lastBookmarkAt }),
      ...(attempt !== undefined && { attempt }),
      ...(nextAttemptAt !== undefined && { nextAttemptAt }),
      ...(error !== undefined && { error }),
      degraded: [...degraded],
    };
  };

  const refresh = (): void => {
    if (!changed && degraded.size === toldDegraded) return;
    changed = false;
    toldDegraded = degraded.size;
    const { state, attempt, nextAttemptAt, synced } = health();
    if (state !== lastState) {
      lastState = state;
      since = scheduler.now();
    }
    // While it lists, that it has synced is told with the state that follows.
    const now = [state, attempt, nextAttemptAt, toldDegraded, state !== 'listing' && synced].join();
    if (now === told) return;
    told = now;
    if (changes.observed) changes.next(health());
  };

  const noteLife = (scope: string, resourceVersion: string, isBookmark: boolean): void => {
    const now = scheduler.now();
    if (isBookmark) lastBookmarkAt = now;
    else lastEventAt = now;
    if (resourceVersion !== '') versions.set(scope, resourceVersion);
    const before = links.get(scope);
    if (before?.state === 'watching' && before.error !== undefined) links.set(scope, { state: 'watching', implied: false });
  };

  const link = (scope: string, next: Link): void => {
    links.set(scope, next);
    changed = true;
  };

  const note = (event: SourceEvent<unknown>): void => {
    const scope = event.scope ?? '';
    switch (event.type) {
      case 'status':
        link(scope, linkAfter(links.get(scope), event));
        break;
      case 'init':
        if (links.get(scope)?.implied !== false) link(scope, { state: 'listing', implied: true });
        break;
      case 'page':
        break;
      case 'ready':
        if (event.resourceVersion !== '') versions.set(scope, event.resourceVersion);
        if (links.get(scope)?.implied === true) link(scope, { state: 'watching', implied: true });
        break;
      default:
        noteLife(scope, event.resourceVersion, event.type === 'bookmark');
    }
  };

  return {
    health,
    note,
    refresh,
    hasSynced: () => isSynced,
    resourceVersion: (scope) => versions.get(scope) ?? '',
    synced: () => {
      if (isSynced) return;
      isSynced = true;
      changed = true;
    },
    drop: (scope) => {
      links.delete(scope);
      versions.delete(scope);
      changed = true;
    },
    begin: () => {
      phase = 'running';
      isSynced = false;
      changed = true;
      links.clear();
      refresh();
    },
    end: (state, error) => {
      phase = state;
      if (state === 'idle') isSynced = false;
      links.clear();
      changed = true;
      fatal = error as InformerError | undefined;
      refresh();
      if (state === 'stopped') changes.complete();
    },
    health$: new Observable((subscriber) => {
      subscriber.next(health());
      subscriber.add(changes.subscribe(subscriber));
    }),
  };
}
