import { deepFreeze } from '../../api/deepFreeze.js';
import { InformerError, type InformerErrorCode, messageOf } from '../../api/errors/informerError.js';
import type { AddedEvent, DeletedEvent, LeaveReason, ObjectEvent } from '../../api/events.js';
import { inProduction } from '../../api/inProduction.js';
import { type Identity, isRecreated, isSameVersion, objectIdentity } from '../../api/kubernetesObject.js';
import { type OptionRules, rules } from '../../api/options.js';
import { noteTransformed } from '../../api/transformed.js';
import { metaNamespaceKey } from '../../cache/keys.js';
import { shareUnchanged } from '../../cache/store/shareUnchanged.js';
import type { StagedContent, Store } from '../../cache/store/store.js';

/** How objects are prepared for the cache. */
export interface ObjectIntakeOptions<T, U = T> {
  /** The key of an object as sent. @defaultValue its namespace and name */
  readonly keyFunc?: ((object: T) => string) | undefined;
  /** Makes the cached value of an object; must return an object. Runs once per version. The client's `replace` refuses its results. */
  readonly transform?: ((object: T) => U) | undefined;
  /** Freezes cached values deeply, so that a mutation throws where it happens. @defaultValue true outside production */
  readonly freeze?: boolean | undefined;
  /** Whether objects already arrive with shared, frozen parts, so that they need not be compared with their previous version. @defaultValue false */
  readonly comesShared?: boolean | undefined;
  /** Called for every object without a key, failing transform and failing index function. By default they are not reported. */
  readonly onError?: ((error: InformerError) => void) | undefined;
  /** The plural of the objects, for messages. @defaultValue `'objects'` */
  readonly resource?: string | undefined;
}

/** Replaces the value of an object whose transform failed. */
export const failed: unique symbol = Symbol('failed');

/** The steps from an object as sent to the cached value. */
export interface ObjectIntake<T, U> {
  /** The key of an object: the given one, else computed. Undefined, after a report, if the object has no key. */
  keyOf(object: T, givenKey?: string): string | undefined;
  /** The value to cache, which shares unchanged parts with `previous`; `failed`, after a report, when the transform fails. */
  valueOf(key: string, object: T, previous: U | undefined): U | typeof failed;
  readonly report: (code: InformerErrorCode, message: string, cause: unknown, key?: string) => void;
}

export function createObjectIntake<T, U>(options: ObjectIntakeOptions<T, U>): ObjectIntake<T, U> {
  const { keyFunc = metaNamespaceKey as (object: T) => string, transform, onError } = options;
  const { freeze = !inProduction(), comesShared = false, resource = 'objects' } = options;

  const report = (code: InformerErrorCode, message: string, cause: unknown, key?: string): void => {
    onError?.(new InformerError({ code, message: `${message}: ${messageOf(cause)}`, cause, resource, key }));
  };

  const transformed = (object: T): U => {
    // Without a transform, U is T.
    if (transform === undefined) return object as unknown as U;
    const value: unknown = transform(object);
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(`Expected \`transform\` to return an object, got ${value === null ? 'null' : typeof value}`);
    }
    return value as U;
  };

  return {
    report,
    keyOf: (object, givenKey) => {
      try {
        const key: unknown = givenKey ?? keyFunc(object);
        if (typeof key === 'string' && key !== '') return key;
        const what = givenKey === undefined ? '`keyFunc` to return' : '`key` of a source event to be';
        throw new TypeError(`Expected ${what} a non-empty string, got ${key === '' ? 'an empty one' : typeof key}`);
      } catch (error) {
        report('ERR_KEY', `An object of ${resource} has no key and is left out`, error);
        return undefined;
      }
    },
    valueOf: (key, object, previous) => {
      try {
        const value = transformed(object);
        const stored = previous === undefined || comesShared ? value : shareUnchanged(previous, value);
        if (transform !== undefined) noteTransformed(stored);
        return freeze ? deepFreeze(stored) : stored;
      } catch (error) {
        report('ERR_TRANSFORM', `The transform of ${resource} ${JSON.stringify(key)} failed, the last good value is kept`, error, key);
        return failed;
      }
    },
  };
}

/** Returns the identity (uid and version) that each value had as sent. Stores it only if the value's own metadata lacks it. */
export interface IdentityMemory {
  recall(key: string, value: unknown): Identity;
  remember(key: string, value: unknown, identity: Identity): void;
  forget(key: string): void;
}

/** For values that are objects as sent. */
const stated: IdentityMemory = {
  recall: (_, value) => objectIdentity(value),
  remember: () => undefined,
  forget: () => undefined,
};

/** @param transformed - whether values may differ from the objects as sent. */
export function createIdentityMemory(transformed: boolean): IdentityMemory {
  if (!transformed) return stated;
  const differing = new Map<string, Identity>();
  return {
    recall: (key, value) => differing.get(key) ?? objectIdentity(value),
    remember: (key, value, identity) => {
      const own = objectIdentity(value);
      if (own.uid === identity.uid && own.resourceVersion === identity.resourceVersion) differing.delete(key);
      else differing.set(key, identity);
    },
    forget: (key) => {
      differing.delete(key);
    },
  };
}

/** A deletion without a watch event: inferred from a list, or from another uid under the name. */
export function missedDeletion<U>(key: string, object: U): DeletedEvent<U> {
  return { type: 'deleted', key, object, finalStateUnknown: true, inferred: true };
}

/** The options of a cache writer. */
export interface CacheWriterOptions<T, U = T> extends ObjectIntakeOptions<T, U> {
  /** Receives the keys whose transform fails. */
  readonly degraded?: Set<string> | undefined;
}

/** The rules of the options of a cache writer, for `scanToIndex` and `processDeltas`. @internal */
export const cacheWriterRules: OptionRules<Omit<CacheWriterOptions<never>, 'keyFunc' | 'onError'>> = {
  transform: rules.function,
  freeze: rules.boolean,
  comesShared: rules.boolean,
  resource: rules.string,
  degraded: { expected: 'a Set', holds: (value) => value instanceof Set },
};

/** The flags of an event, beside its object. */
interface Circumstances {
  readonly initial: boolean;
  /** Whether the event was inferred from a list. */
  readonly inferred: boolean;
  /** Whether to emit the event even if nothing has changed. */
  readonly isNews: boolean;
  /** Whether an object of the cached version is the cached one; otherwise contents are compared. */
  readonly isCurrent?: boolean;
}

const nothing: readonly never[] = [];

/** Whether a store has the content of a `replace`. */
function holds<U>(store: Store<U>, content: ReadonlyMap<string, U>, whole: boolean): boolean {
  for (const [key, value] of content) if (store.getByKey(key) !== value) return false;
  return !whole || store.listKeys().length === content.size;
}

/** Writes objects to a store, and returns what changes for subscribers that have its previous content. */
export class CacheWriter<T, U> {
  /** The steps from an object to its value. */
  readonly objects: ObjectIntake<T, U>;
  /** The identities of the stored values, as sent. */
  identities: IdentityMemory;
  /** The keys whose last version could not be transformed. */
  readonly degraded: Set<string>;
  private readonly store: Store<U>;
  private readonly isOver: () => boolean;
  /** What the present change has overwritten: keys with the values before. */
  private readonly overwritten: (readonly [key: string, before: U | undefined])[] = [];
  private versionBefore = '';

  /** @param isOver - whether the session has ended, as a transform or an index function may make it. Nothing is written then. */
  constructor(store: Store<U>, options: CacheWriterOptions<T, U>, onError: (error: InformerError) => void, isOver: () => boolean = () => false) {
    this.store = store;
    this.isOver = isOver;
    this.objects = createObjectIntake<T, U>({ ...options, onError });
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
    this.identities = createIdentityMemory(options.transform !== undefined);
  }

  /**
   * Stores an object. Does nothing when its version is cached already, or when it cannot be transformed. `version` becomes the store's version; by default
   * that of the object.
   */
  upsert(key: string, object: T, version: string | undefined, circumstances: Circumstances): readonly ObjectEvent<U>[] {
    const { initial, inferred, isNews, isCurrent = false } = circumstances;
    const { store, identities, degraded } = this;
    const before = store.getByKey(key);
    // Read before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const isCached = isCurrent && before !== undefined && isSameVersion(identities.recall(key, before), identity);
    const value = isCached ? before : this.objects.valueOf(key, object, before);
    if (this.isOver()) return nothing;
    if (value === failed) {
      degraded.add(key);
      return this.bookmark(version);
    }
    degraded.delete(key);
    const recreated = before !== undefined && isRecreated(identities.recall(key, before), identity);
    if (value === before && !recreated && !isNews) {
      identities.remember(key, value, identity);
      return this.bookmark(version);
    }
    this.overwritten.push([key, before]);
    if (!this.write('update', key, value, version ?? identity.resourceVersion)) return nothing;
    identities.remember(key, value, identity);
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial, inferred: inferred && !initial };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred }];
  }

  /** Removes an object, whose last state may be unknown; `version` as for `upsert`. With a `reason`, the object was not deleted on the server. */
  // mutation condition: an undefined `reason` counts as absent, and every caller but a bare `processDeltas` passes the version
  remove(key: string, object: T | undefined, version: string | undefined, reason?: LeaveReason): readonly ObjectEvent<U>[] {
    const { store, identities } = this;
    const before = store.getByKey(key);
    if (before === undefined) {
      this.forget(key);
      return this.bookmark(version);
    }
    const identity = objectIdentity(object);
    const isMissed = object === undefined || isRecreated(identities.recall(key, before), identity);
    const value = isMissed ? failed : this.objects.valueOf(key, object, before);
    if (this.isOver()) return nothing;
    this.overwritten.push([key, before]);
    const versionAfter = version ?? (isMissed ? store.lastStoreSyncResourceVersion() : identity.resourceVersion);
    if (!this.write('delete', key, before, versionAfter)) return nothing;
    this.forget(key);
    if (isMissed) return [reason === undefined ? missedDeletion(key, before) : { ...missedDeletion(key, before), reason }];
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }

  /**
   * Replaces the store's content by these values or by the staged ones. Staged content that is only a part of the store also deletes the keys in `gone`.
   * Returns whether the store has the result.
   */
  replace(content: ReadonlyMap<string, U> | StagedContent<U>, resourceVersion: string, gone: ReadonlySet<string>): boolean {
    const { store } = this;
    const isStaged = 'publish' in content;
    let done = true;
    // mutation condition: equivalent: staged content is published above, and does not contain the deleted keys
    try {
      const staged = isStaged ? content : store.stage?.();
      if (!isStaged && staged !== undefined) for (const [key, value] of content) staged.put(value, key);
      if (staged !== undefined) staged.publish(resourceVersion, isStaged ? gone : undefined);
      else if (!isStaged) store.replace([...content.values()], resourceVersion);
    } catch (error) {
      const isPlaced = holds(store, isStaged ? content.objects : content, !isStaged || content.whole);
      done = store.lastStoreSyncResourceVersion() === resourceVersion && isPlaced;
      this.reportThrown(error, done);
    }
    return this.finish(done, resourceVersion);
  }

  /** Begins a change, which `undo` can take back until the next one begins. */
  begin(): void {
    this.overwritten.length = 0;
    this.versionBefore = this.store.lastStoreSyncResourceVersion();
  }

  /** Takes a change back that ended the session while it was made: nobody will get it. */
  undo(): void {
    for (const [key, before] of this.overwritten.splice(0).reverse()) {
      const value = before ?? this.store.getByKey(key);
      if (value !== undefined) this.write(before === undefined ? 'delete' : 'update', key, value, '');
    }
    if (this.store.lastStoreSyncResourceVersion() !== this.versionBefore) this.store.bookmark(this.versionBefore);
  }

  forget(key: string): void {
    this.identities.forget(key);
    this.degraded.delete(key);
  }

  /** Stores or deletes the value of a key. Returns whether the store has the result. */
  private write(method: 'update' | 'delete', key: string, value: U, resourceVersion: string): boolean {
    const { store } = this;
    const { keyed } = store;
    let done = true;
    try {
      if (keyed === undefined) store[method](value);
      else keyed[method](key, value);
    } catch (error) {
      done = store.getByKey(key) === (method === 'update' ? value : undefined);
      this.reportThrown(error, done, key);
    }
    return this.finish(done, resourceVersion);
  }

  /** A write that threw counts as done if the store has its result nevertheless. */
  private finish(done: boolean, resourceVersion: string): boolean {
    const { store } = this;
    if (resourceVersion !== '' && done && store.lastStoreSyncResourceVersion() !== resourceVersion) store.bookmark(resourceVersion);
    return done;
  }

  private reportThrown(error: unknown, done: boolean, key?: string): void {
    const { report } = this.objects;
    if (done) report('ERR_INDEX_FUNC', 'The object is cached without an entry in an index whose function failed', error, key);
    else report('ERR_KEY', 'The store refused a change', error, key);
  }

  /** Records a version that the store has reached without an event. */
  private bookmark(version: string | undefined): readonly never[] {
    if (version !== undefined && version !== '') this.store.bookmark(version);
    return nothing;
  }
}
