import { deepFreeze, freezeWhole } from '../../api/deepFreeze.js';
import type { DropReason, Drops } from '../../api/drops.js';
import { failureOf, type InformerErrorCode, type OnError } from '../../api/errors/informerError.js';
import type { AddedEvent, DeletedEvent, LeaveReason, ObjectEvent } from '../../api/events.js';
import { type Identity, isRecreated, isSameVersion, metaNamespaceKey, objectIdentity } from '../../api/kubernetesObject.js';
import { type OptionRules, rules } from '../../api/options.js';
import { noteTransformed } from '../../api/transformed.js';
import type { Content, StagedContent } from '../../cache/store/content.js';
import { shareUnchanged } from '../../cache/store/shareUnchanged.js';
import type { CacheStore } from '../../cache/store/store.js';
import type { IncomingList } from './scopes.js';

/** How cached values are made of objects as sent. */
export interface ValueOptions<T, U = T> {
  /** Makes the cached value of an object; must return an object. Runs once per version. The client's `replace` refuses its results. */
  readonly transform?: ((object: T) => U) | undefined;
  /** Freezes cached values deeply, so that a mutation throws where it happens. Without it, values share no parts with earlier ones. @defaultValue true */
  readonly freeze?: boolean | undefined;
  /** Whether objects already arrive with shared, frozen parts, so that they need not be compared with their previous version. @defaultValue false */
  readonly comesShared?: boolean | undefined;
}

/** Options of a cache. */
export interface CacheOptions<T, U = T> extends ValueOptions<T, U> {
  /** The key of an object as sent. @defaultValue its namespace and name */
  readonly keyFunc?: ((object: T) => string) | undefined;
  /** Called for every object without a key, failing transform and failing index function. By default they are not reported. */
  readonly onError?: OnError | undefined;
  /** The plural of the objects, for messages. @defaultValue `'objects'` */
  readonly resource?: string | undefined;
  /** Receives the keys whose transform fails. */
  readonly degraded?: Set<string> | undefined;
  /** Is told which objects change nothing, and why. @internal */
  readonly drops$?: Drops | undefined;
}

/** The identities of a cache's objects as sent, where the metadata of a value says something else. They last as long as the content. */
export type Sent = Map<string, Identity>;

/** The rules of the options of a cache, for `scanToIndex` and `processDeltas`. @internal */
export const cacheRules: OptionRules<Omit<CacheOptions<never>, 'keyFunc' | 'onError'>> = {
  transform: rules.function,
  freeze: rules.boolean,
  comesShared: rules.boolean,
  resource: rules.string,
  drops$: rules.observable,
  degraded: { expected: 'a Set', holds: (value) => value instanceof Set },
};

/** The key of an object: the given one, else computed. @throws TypeError when that is not a non-empty string, and what `keyFunc` throws. */
export function keyFor<T>(object: T, givenKey: string | undefined, keyFunc: ((object: T) => string) | undefined): string {
  const key: unknown = givenKey ?? (keyFunc ?? (metaNamespaceKey as (object: T) => string))(object);
  if (typeof key === 'string' && key !== '') return key;
  const what = givenKey === undefined ? '`keyFunc` to return' : '`key` of a source event to be';
  throw new TypeError(`Expected ${what} a non-empty string, got ${key === '' ? 'an empty one' : typeof key}`);
}

/** The value to cache, which shares unchanged parts with `previous`. @throws what the transform throws, and TypeError when it returns no object. */
export function valueFor<T, U>(object: T, previous: U | undefined, options: ValueOptions<T, U>): U {
  const { transform, freeze = true, comesShared = false } = options;
  // Without a transform, U is T.
  const value: unknown = transform === undefined ? object : transform(object);
  if (transform !== undefined) {
    const isPromise = value instanceof Promise;
    // Nobody waits for it.
    if (isPromise) value.catch(() => undefined);
    const got = value === null ? 'null' : isPromise ? 'a promise' : typeof value;
    if (got !== 'object') throw new TypeError(`Expected \`transform\` to return an object, got ${got}`);
  }
  const isShared = comesShared && transform === undefined;
  const stored = previous === undefined || isShared || !freeze ? (value as U) : shareUnchanged(previous, value as U);
  if (transform !== undefined) noteTransformed(stored);
  if (!freeze) return stored;
  if (!isShared) return freezeWhole(stored, previous);
  // Most objects come frozen from the decoder.
  return Object.isFrozen(stored) ? stored : deepFreeze(stored);
}

/** Replaces the value of an object whose transform failed. */
export const failed: unique symbol = Symbol('failed');

/** A deletion without a watch event: inferred from a list, or from another uid under the name. */
export function missedDeletion<U>(key: string, object: U): DeletedEvent<U> {
  return { type: 'deleted', key, object, finalStateUnknown: true, inferred: true };
}

/** The flags of an event, beside its object. */
interface Circumstances {
  readonly initial: boolean;
  /** Whether the event was inferred from a list. */
  readonly inferred: boolean;
  /** Whether to emit the event even if nothing has changed. */
  readonly isNews: boolean;
  /** Whether an object of the cached version is the cached one; otherwise contents are compared. */
  readonly isCurrent: boolean;
}

const nothing: readonly never[] = [];

/** The objects of a cache: makes values, writes them, and returns what changes for subscribers that have the previous content. */
export class CachedObjects<T, U> {
  readonly store: CacheStore<U>;
  readonly content: Content<U>;
  /** The keys whose last version could not be transformed. */
  readonly degraded: Set<string>;
  /** Whether values may differ from the objects as sent. */
  readonly transformed: boolean;
  private readonly options: CacheOptions<T, U>;
  private readonly resource: string;
  /** Whether the session has ended. */
  readonly isOver: () => boolean;
  private readonly sent: Sent;
  /** What the present change has overwritten: keys with the values before, and their identities as sent. */
  private readonly overwritten: (readonly [key: string, before: U | undefined, sent: Identity | undefined])[] = [];
  private versionBefore = '';

  /** @param isOver - whether the session has ended, as a transform or an index function may make it. Nothing is written then. */
  constructor(
    store: CacheStore<U>,
    content: Content<U>,
    options: CacheOptions<T, U>,
    isOver: () => boolean = () => false,
    sent: Sent = new Map(),
  ) {
    this.store = store;
    this.content = content;
    this.options = options;
    this.resource = options.resource ?? 'objects';
    this.isOver = isOver;
    this.transformed = options.transform !== undefined;
    this.sent = sent;
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
  }

  /** Undefined, after a report, if the object has no key. */
  keyOf(object: T, givenKey?: string): string | undefined {
    try {
      return keyFor(object, givenKey, this.options.keyFunc);
    } catch (error) {
      this.report('ERR_KEY', `An object of ${this.resource} has no key and is left out`, error);
      return undefined;
    }
  }

  /** `failed`, after a report, when the transform fails. */
  valueOf(key: string, object: T, previous: U | undefined): U | typeof failed {
    try {
      return valueFor(object, previous, this.options);
    } catch (error) {
      const what = `The transform of ${this.resource} ${JSON.stringify(key)} failed, the last good value is kept`;
      this.report('ERR_TRANSFORM', what, error, key);
      return failed;
    }
  }

  /** The identity that a cached value had as sent. */
  identityOf(key: string, value: U): Identity {
    return (this.transformed ? this.sent.get(key) : undefined) ?? objectIdentity(value);
  }

  remember(key: string, value: U, identity: Identity): void {
    if (!this.transformed) return;
    const own = objectIdentity(value);
    if (own.uid === identity.uid && own.resourceVersion === identity.resourceVersion) this.sent.delete(key);
    else this.sent.set(key, identity);
  }

  forget(key: string): void {
    this.sent.delete(key);
    this.degraded.delete(key);
  }

  /**
   * Stores an object. Does nothing when its version is cached already, or when it cannot be transformed. `version` becomes the store's version; by default
   * that of the object.
   */
  upsert(key: string, object: T, version: string | undefined, circumstances: Circumstances): readonly ObjectEvent<U>[] {
    const { initial, inferred, isNews, isCurrent } = circumstances;
    const before = this.content.get(key);
    // Read before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const known = before === undefined ? undefined : this.identityOf(key, before);
    const isCached = isCurrent && known !== undefined && isSameVersion(known, identity);
    const value = isCached && before !== undefined ? before : this.valueOf(key, object, before);
    if (this.isOver()) return nothing;
    if (value === failed) {
      this.degraded.add(key);
      this.dropped('transform failed', key);
      return this.reach(version);
    }
    this.degraded.delete(key);
    const recreated = known !== undefined && isRecreated(known, identity);
    if (value === before && !recreated && !isNews) {
      this.remember(key, value, identity);
      this.dropped(isCached ? 'same version' : 'same value', key);
      return this.reach(version);
    }
    this.write(key, before, value, version ?? identity.resourceVersion);
    this.remember(key, value, identity);
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial, inferred: inferred && !initial };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred }];
  }

  /** Removes an object, whose last state may be unknown; `version` as for `upsert`. With a `reason`, the object was not deleted on the server. */
  remove(key: string, object: T | undefined, version: string | undefined, reason?: LeaveReason): readonly ObjectEvent<U>[] {
    const before = this.content.get(key);
    if (before === undefined) {
      this.forget(key);
      this.dropped('not cached', key);
      return this.reach(version);
    }
    const identity = objectIdentity(object);
    const isMissed = object === undefined || isRecreated(this.identityOf(key, before), identity);
    const value = isMissed ? failed : this.valueOf(key, object, before);
    if (this.isOver()) return nothing;
    this.write(key, before, undefined, version ?? (isMissed ? this.store.lastStoreSyncResourceVersion() : identity.resourceVersion));
    this.forget(key);
    if (isMissed) return [reason === undefined ? missedDeletion(key, before) : { ...missedDeletion(key, before), reason }];
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }

  /** Tells whoever looks that objects change nothing. */
  dropped(reason: DropReason, key: string | (() => readonly string[])): void {
    const { drops$ } = this.options;
    if (drops$?.observed !== true) return;
    const keys = typeof key === 'string' ? [key] : key();
    if (keys.length > 0) drops$.next({ reason, keys });
  }

  /** Begins a change, which `undo` can take back until the next one begins. */
  begin(): void {
    this.overwritten.length = 0;
    this.versionBefore = this.store.lastStoreSyncResourceVersion();
  }

  /** Takes a change back that ended the session while it was made: nobody will get it. */
  undo(): void {
    for (const [key, before, sent] of this.overwritten.splice(0).reverse()) {
      if (before === undefined) this.content.remove(key);
      else this.content.put(key, before);
      if (sent === undefined) this.sent.delete(key);
      else this.sent.set(key, sent);
    }
    if (this.store.lastStoreSyncResourceVersion() !== this.versionBefore) this.store.bookmark(this.versionBefore);
  }

  /** Records a version that the store has reached. */
  reach(version: string | undefined): readonly never[] {
    const { store } = this;
    if (version !== undefined && version !== '' && version !== store.lastStoreSyncResourceVersion()) store.bookmark(version);
    return nothing;
  }

  /** Reports the index functions that failed in the last write. */
  reportIndexes(): void {
    this.content.report((error, indexName, key) => {
      const what = `The index function ${JSON.stringify(indexName)} of ${this.resource} failed for ${JSON.stringify(key)}`;
      this.report('ERR_INDEX_FUNC', what, error, key);
    });
  }

  /** Stores the value of a key, or deletes it. */
  private write(key: string, before: U | undefined, value: U | undefined, version: string): void {
    this.overwritten.push([key, before, this.sent.get(key)]);
    if (value === undefined) this.content.remove(key);
    else this.content.put(key, value);
    this.reach(version);
    this.reportIndexes();
  }

  private report(code: InformerErrorCode, what: string, cause: unknown, key?: string): void {
    this.options.onError?.(failureOf(code, what, cause, { resource: this.resource, key }));
  }
}

/** A list of objects that is being received: its values are made, and filed in the indexes, as they arrive. */
export class Listing<T, U> implements IncomingList<T> {
  /** `failed` for an object none of whose versions could be transformed. */
  readonly values: Map<string, U | typeof failed> = new Map<string, U | typeof failed>();
  /** The keys whose last version could not be transformed. */
  readonly failing: Set<string> = new Set<string>();
  /** Objects as sent whose version is already cached. They are transformed only if the list turns out to be older than the cache. */
  readonly untransformed: Map<string, T> = new Map<string, T>();
  /** Invisible until the list is complete. */
  readonly staged: StagedContent<U>;
  private readonly objects: CachedObjects<T, U>;
  /** The identities as sent. Recorded only with a transform; otherwise each value has its own. */
  private readonly sent = new Map<string, Identity>();

  constructor(objects: CachedObjects<T, U>, whole: boolean) {
    this.objects = objects;
    this.staged = objects.content.stage(whole);
  }

  add(key: string, object: T, isKeyed: boolean): void {
    const { objects } = this;
    const before = objects.content.get(key);
    if (!isKeyed && before !== undefined && objects.transformed && isSameVersion(objects.identityOf(key, before), objectIdentity(object))) {
      this.untransformed.set(key, object);
      this.hold(key, before, objectIdentity(object));
      return;
    }
    this.untransformed.delete(key);
    this.transform(key, object, before);
  }

  remove(key: string): void {
    this.values.delete(key);
    this.failing.delete(key);
    this.untransformed.delete(key);
    this.sent.delete(key);
    this.staged.remove(key);
  }

  identityOf(key: string, value: U): Identity {
    return this.sent.get(key) ?? objectIdentity(value);
  }

  /** Transforms objects whose version is already cached: after a restore from a backup, one version may have two contents. */
  transformAll(): void {
    for (const [key, object] of this.untransformed) this.transform(key, object, this.objects.content.get(key));
    this.untransformed.clear();
  }

  private transform(key: string, object: T, before: U | undefined): void {
    // Read before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const value = this.objects.valueOf(key, object, before);
    if (value === failed) {
      this.failing.add(key);
      if (!this.values.has(key)) this.values.set(key, failed);
    } else this.hold(key, value, identity);
  }

  private hold(key: string, value: U, identity: Identity): void {
    this.failing.delete(key);
    this.values.set(key, value);
    if (this.objects.transformed) this.sent.set(key, identity);
    this.staged.put(key, value);
  }
}
