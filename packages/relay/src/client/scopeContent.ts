import type { SourceEvent } from 'rx-informer/pipeline';
import { addHash, entryHash } from '../wire/contentHash.js';
import { applyEdits } from '../wire/difference.js';
import { objectsOf } from '../wire/shape.js';
import type { Frame, ResumeToken, ScopeRights } from '../wire/frames.js';

interface Held {
  readonly group: string;
  readonly value: unknown;
  readonly hash: number;
}

type Rows = Extract<Frame, { readonly g: string }>;
type Commit = Extract<Frame, { readonly log: string }>;
type Event = SourceEvent<unknown>;

/** Marks events as parts of one change, which a bookmark ends: a filter may drop any of the objects. */
function asOne(events: readonly Event[], resourceVersion: string): Event[] {
  if (events.length < 2) return [...events];
  return [...events.map((event) => ({ ...event, more: true }) as Event), { type: 'bookmark', resourceVersion }];
}

/** The content of a scope with its position, as JSON: from a server into the page that goes on from there. */
export interface ScopeState {
  readonly commit: Commit;
  readonly rights: ScopeRights;
  readonly rightsId: string;
  readonly held: readonly (readonly [key: string, group: string, value: unknown])[];
}

/**
 * The content of one scope in a page, and the events it results in.
 *
 * Rows are buffered until their commit, so that the emitted content is a consistent snapshot of the relay's cache. Revocations take effect at once.
 */
export class ScopeContent {
  /** The user's permissions, as last sent by the relay. */
  rights: ScopeRights = 'checking';
  /** Whether a list has been emitted completely. */
  isLive = false;
  #held = new Map<string, Held>();
  readonly #pending = new Map<string, Held | undefined>();
  #isAnew = true;
  #sum = 0;
  #rightsId = '';
  #committed: Commit | undefined;
  readonly #leaves: { readonly reason?: 'moved' };

  /** @param isWindow - whether objects that disappear have left a window, and were not deleted. */
  constructor(isWindow: boolean) {
    this.#leaves = isWindow ? { reason: 'moved' } : {};
  }

  /** The token by which the stream resumes from here; undefined when the page needs the whole content again. */
  token(): ResumeToken | undefined {
    if (!this.isLive || !this.#committed || this.#rightsId === '') return undefined;
    const { log, at, version } = this.#committed;
    return { log, at, version, rights: this.#rightsId, count: this.#held.size, sum: this.#sum };
  }

  /** The content, to be taken by `restore` elsewhere; undefined before it is complete. */
  state(): ScopeState | undefined {
    const commit = this.#committed;
    if (!this.isLive || !commit) return undefined;
    return {
      commit,
      rights: this.rights,
      rightsId: this.#rightsId,
      held: [...this.#held].map(([key, { group, value }]) => [key, group, value]),
    };
  }

  restore({ commit, rights, rightsId, held }: ScopeState): void {
    for (const [key, group, value] of held) this.#put(key, value, group);
    this.commit(commit);
    this.setRights(rights, rightsId);
    this.isLive = true;
  }

  /** Drops an unfinished step: what follows belongs to another stream. */
  cut(): void {
    this.#pending.clear();
    if (this.isLive) this.#isAnew = false;
  }

  /** Drops the token. */
  doubt(): void {
    this.#rightsId = '';
  }

  /** The events for a late subscriber. */
  snapshot(): Event[] {
    return this.isLive ? this.#listed('first', '') : [];
  }

  version(): string {
    const { version = '', log = '', at = 0 } = this.#committed ?? {};
    return /^\d+$/.test(version) ? version : `${log}:${at}`;
  }

  reset(): void {
    this.#pending.clear();
    this.#isAnew = true;
  }

  setRights(rights: ScopeRights, id: string): void {
    this.rights = rights;
    this.#rightsId = id;
  }

  /** Takes rows. Returns the key of one whose patch has another base than the page's value. */
  rows({ g: group, set = [], like = [], patch = [], del = [] }: Rows): string | undefined {
    for (const key of del) if (this.#latest(key)?.group === group) this.#pending.set(key, undefined);
    for (const [key, base, edits] of patch) {
      const before = this.#latest(key);
      if (before?.hash !== base) return key;
      this.#put(key, applyEdits(before.value, edits), group);
    }
    for (const [key, value] of [...set, ...like.flatMap((table) => [...objectsOf(table)])]) this.#put(key, value, group);
    return undefined;
  }

  /** Ends a step. Returns its events. */
  commit(frame: Commit): Event[] {
    const mayNotSee = this.rights === 'forbidden' || this.rights === 'checking';
    const previous = this.isLive ? this.version() : '';
    this.#committed = frame;
    if (!this.#isAnew) return this.#changes();
    // Without permission there is no content, which must not look like an empty list.
    if (mayNotSee && this.#pending.size === 0) return this.isLive ? this.#dropWhere(() => true) : [];
    this.#isAnew = false;
    this.#held = new Map([...this.#pending].filter((entry): entry is [string, Held] => !!entry[1]));
    this.#pending.clear();
    this.#sum = [...this.#held.values()].reduce((sum, { hash }) => addHash(sum, hash), 0);
    const events = this.#listed(this.isLive ? 'expired' : 'first', previous);
    this.isLive = true;
    return events;
  }

  /** Removes groups that the user may no longer see. */
  drop(groups: readonly string[]): Event[] {
    const gone = new Set(groups);
    for (const [key, held] of this.#pending) {
      if (!held || !gone.has(held.group)) continue;
      // A key that was moving into the group is gone, too.
      if (this.#held.has(key)) this.#pending.set(key, undefined);
      else this.#pending.delete(key);
    }
    return this.#dropWhere(({ group }) => gone.has(group));
  }

  /** Whether the page has the same content as the relay. */
  agrees([at, count, sum]: readonly [at: number, count: number, sum: number]): boolean {
    if (!this.isLive || this.#isAnew || this.#pending.size > 0) return true;
    if (this.#committed) this.#committed = { ...this.#committed, at };
    return this.#held.size === count && this.#sum === sum;
  }

  #put(key: string, value: unknown, group: string): void {
    this.#pending.set(key, { group, value, hash: entryHash(key, value) });
  }

  #latest(key: string): Held | undefined {
    return this.#pending.has(key) ? this.#pending.get(key) : this.#isAnew ? undefined : this.#held.get(key);
  }

  #listed(reason: 'first' | 'expired', previousResourceVersion: string): Event[] {
    const [keys, items] = [[...this.#held.keys()], [...this.#held.values()].map(({ value }) => value)];
    return [
      { type: 'init', scope: '', reason, previousResourceVersion },
      ...(items.length > 0 ? [{ type: 'page', items, keys } as const] : []),
      { type: 'ready', scope: '', resourceVersion: this.version() },
    ];
  }

  #changes(): Event[] {
    const resourceVersion = this.version();
    const [deleted, others]: [Event[], Event[]] = [[], []];
    for (const [key, after] of this.#pending) {
      const before = this.#held.get(key);
      if (before) this.#take(key, before);
      if (after) {
        this.#held.set(key, after);
        this.#sum = addHash(this.#sum, after.hash);
        others.push({ type: before ? 'modified' : 'added', key, object: after.value, resourceVersion });
      } else if (before) {
        deleted.push({ type: 'deleted', key, object: before.value, resourceVersion, ...this.#leaves });
      }
    }
    this.#pending.clear();
    return asOne([...deleted, ...others], resourceVersion);
  }

  #dropWhere(isGone: (held: Held) => boolean): Event[] {
    const resourceVersion = this.version();
    const events: Event[] = [];
    for (const [key, held] of [...this.#held]) {
      if (!isGone(held)) continue;
      this.#take(key, held);
      // The stream may be cut before the rights that this content is complete for.
      this.doubt();
      if (this.isLive) events.push({ type: 'deleted', key, object: held.value, resourceVersion, reason: 'revoked' });
    }
    return asOne(events, resourceVersion);
  }

  #take(key: string, { hash }: Held): void {
    this.#held.delete(key);
    this.#sum = addHash(this.#sum, hash, -1);
  }
}
