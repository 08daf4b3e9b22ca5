import type { InformerError } from '../../api/errors/informerError.js';
import type { LinkState, SourceEvent, SourceStatus } from '../../api/events/sourceEvent.js';

interface Link {
  readonly state: LinkState;
  readonly attempt?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
  readonly error?: InformerError | undefined;
  /** The source has not emitted any state; this is what its other events imply. */
  readonly implied?: boolean;
}

interface ScopeHealth {
  link: Link | undefined;
  version: string;
  /** When the server was last heard of: a list that is complete, a watch that opens, what it brings. */
  heardAt: number | undefined;
  /** How many objects of the list under way have arrived; undefined while there is none. */
  received: number | undefined;
}

const severity: Readonly<Record<LinkState, number>> = { watching: 0, listing: 1, retrying: 2 };

function linkAfter(before: Link | undefined, { state, error, attempt, nextAttemptAt }: SourceStatus): Link {
  if (error !== undefined) return { state, error, attempt, nextAttemptAt };
  // To list again repairs nothing yet.
  return state === 'watching' ? { state } : { state, error: before?.error, attempt: before?.attempt };
}

/** Whether the cache was right at this moment, as far as the scope goes. */
function isLive(event: SourceEvent<unknown>, { heardAt, received }: ScopeHealth): boolean {
  if (event.type === 'ready') return true;
  if (heardAt === undefined || received !== undefined) return false;
  if (event.type === 'status') return event.state === 'watching' && event.error === undefined;
  return event.type !== 'init' && event.type !== 'page';
}

/** What the events of a source say about its health, scope by scope. */
export class SourceHealth {
  lastEventAt: number | undefined;
  lastBookmarkAt: number | undefined;
  private readonly scopes = new Map<string, ScopeHealth>();

  /** Takes note of an event; returns whether it says something about the state of a link. */
  note(event: SourceEvent<unknown>, at: number): boolean {
    const scope = this.of(event.scope ?? '');
    const { link } = scope;
    if (isLive(event, scope)) scope.heardAt = at;
    switch (event.type) {
      case 'status':
        scope.link = linkAfter(link, event);
        if (event.state !== 'listing') scope.received = undefined;
        break;
      case 'init':
        scope.received = 0;
        if (link === undefined || link.implied === true) scope.link = { state: 'listing', implied: true };
        break;
      case 'page':
        if (scope.received !== undefined) scope.received += event.items.length;
        break;
      case 'ready':
        scope.received = undefined;
        if (event.resourceVersion !== '') scope.version = event.resourceVersion;
        if (link?.implied === true) scope.link = { state: 'watching', implied: true };
        break;
      default:
        if (event.type === 'bookmark') this.lastBookmarkAt = at;
        else this.lastEventAt = at;
        if (scope.received === undefined) {
          if (event.resourceVersion !== '') scope.version = event.resourceVersion;
        } else if (event.type === 'added') {
          // What a streamed list brings is not in the cache yet.
          scope.received += 1;
        }
        if (link?.state === 'watching' && link.error !== undefined) scope.link = { state: 'watching' };
    }
    return scope.link !== link;
  }

  drop(scope: string): void {
    this.scopes.delete(scope);
  }

  /** The source has been left: what it has brought remains. */
  leave(): void {
    for (const scope of this.scopes.values()) {
      scope.link = undefined;
      scope.received = undefined;
    }
  }

  /** The version of one scope; `''` when it has none. */
  versionOf(scope: string): string {
    return this.scopes.get(scope)?.version ?? '';
  }

  /** The link that is worst off; undefined when there is none. */
  worst(): Link | undefined {
    let result: Link | undefined;
    for (const { link } of this.scopes.values()) {
      if (link === undefined) continue;
      if (result === undefined || severity[link.state] > severity[result.state]) result = link;
      else if (link.state === result.state && result.error === undefined) result = link;
    }
    return result;
  }

  /** How many objects of the lists under way have arrived; undefined while there are none. */
  received(): number | undefined {
    let sum: number | undefined;
    for (const { received } of this.scopes.values()) if (received !== undefined) sum = (sum ?? 0) + received;
    return sum;
  }

  /** When the scope was heard of of which that is longest ago; undefined before the first list is complete. */
  heardAt(): number | undefined {
    let oldest: number | undefined;
    for (const { heardAt = Infinity } of this.scopes.values()) if (heardAt < (oldest ?? Infinity)) oldest = heardAt;
    return oldest;
  }

  private of(name: string): ScopeHealth {
    const known = this.scopes.get(name);
    if (known !== undefined) return known;
    const made: ScopeHealth = { link: undefined, version: '', heardAt: undefined, received: undefined };
    this.scopes.set(name, made);
    return made;
  }
}
