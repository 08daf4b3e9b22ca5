import type { ObjectEvent, ResourceChange, SourceEvent } from '../../api/events.js';
import { compareResourceVersions, type Identity, isRecreated, isSameVersion, objectIdentity } from '../../api/kubernetesObject.js';
import type { StagedContent } from '../../cache/store/content.js';
import type { CacheStore } from '../../cache/store/store.js';
import { deletionsFirst } from '../buffers/pendingEvents.js';
import { CachedObjects, type CacheOptions, failed, missedDeletion } from './cachedObjects.js';
import { type IncomingList, type Scope, Scopes, type SourceChange, type Step } from './scopes.js';

/** Options of a cache whose source has scopes. */
export interface ScopedCacheOptions<T, U = T> extends CacheOptions<T, U> {
  /**
   * The scopes that must be complete before the first `synced`. Read at every completed list, so a Set may change meanwhile; a scope that is not among them
   * is dropped after its next list. @defaultValue the scopes that have appeared
   */
  readonly scopes?: Iterable<string> | undefined;
  /**
   * Whether subscribers already have the content of the store when the session begins. If so, the first list is compared like any later one; otherwise
   * each of its objects is emitted, as `updated` if the store has it. @defaultValue false
   */
  readonly known?: boolean | undefined;
}

/** A list of objects that is being received: its values are made, and filed in the indexes, as they arrive. */
class Listing<T, U> implements IncomingList<T> {
  readonly previousResourceVersion: string;
  /** `failed` for an object none of whose versions could be transformed. */
  readonly values = new Map<string, U | typeof failed>();
  /** The keys whose last version could not be transformed. */
  readonly failing = new Set<string>();
  /** Objects as sent whose version is already cached. They are transformed only if the list turns out to be older than the cache. */
  readonly untransformed = new Map<string, T>();
  /** Invisible until the list is complete. */
  readonly staged: StagedContent<U>;
  /** Whether the source has given keys: then equal versions may have different contents, as in a view whose values contain an object's metadata. */
  isKeyed = false;
  private readonly objects: CachedObjects<T, U>;
  /** The identities as sent. Recorded only with a transform; otherwise each value has its own. */
  private readonly sent = new Map<string, Identity>();

  constructor(objects: CachedObjects<T, U>, whole: boolean, previousResourceVersion: string) {
    this.objects = objects;
    this.previousResourceVersion = previousResourceVersion;
    this.staged = objects.content.stage(whole);
  }

  add(key: string, object: T, isKeyed: boolean): void {
    const { objects } = this;
    const before = objects.store.getByKey(key);
    this.isKeyed ||= isKeyed;
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
    for (const [key, object] of this.untransformed) this.transform(key, object, this.objects.store.getByKey(key));
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

type ScopeOf<T, U> = Scope<Listing<T, U>>;

const fromWatch = { initial: false, inferred: false, isNews: false, isCurrent: true };
const newsFromWatch = { ...fromWatch, isNews: true };
const nothing: readonly never[] = [];

/** The cache: takes source events, changes its store, and returns the changes. */
export class Cache<T, U> {
  private readonly store: CacheStore<U>;
  private readonly objects: CachedObjects<T, U>;
  private readonly scopes: Scopes<T, Listing<T, U>>;
  private readonly isOver: () => boolean;
  private readonly inheritedVersion: string;
  private readonly known: boolean;
  /** Whether some scope has not been listed yet. */
  private initial: boolean;
  /** The events of a change whose last source event has not come yet. */
  private begun: ResourceChange<U> | undefined;
  private isBegun = false;

  /** @param isOver - whether the session has ended. What a change has written until then is taken back. */
  constructor(store: CacheStore<U>, options: ScopedCacheOptions<T, U>, isOver: () => boolean) {
    this.store = store;
    this.isOver = isOver;
    const objects = new CachedObjects(store, options, isOver);
    this.objects = objects;
    this.scopes = new Scopes<T, Listing<T, U>>({
      declared: options.scopes,
      // An object that could not be transformed is present, though not in the store.
      presentKeys: () => (objects.degraded.size === 0 ? store.listKeys() : [...new Set([...store.listKeys(), ...objects.degraded])]),
      keyOf: (object, givenKey) => objects.keyOf(object, givenKey),
      // With several scopes, a list replaces only a part of the store's content.
      begin: (previous, abandoned) => {
        if (abandoned !== undefined) objects.dropped('stale list', () => [...abandoned.values.keys()]);
        return new Listing(objects, this.scopes.isAlone(), previous);
      },
    });
    this.inheritedVersion = store.lastStoreSyncResourceVersion();
    this.known = options.known ?? false;
    this.initial = !this.known;
  }

  /** Applies an event. Returns undefined when nothing has changed, and until the last event of a change. */
  accept(event: SourceEvent<T>): ResourceChange<U> | undefined {
    if (!this.isBegun) this.objects.begin();
    this.isBegun = 'more' in event;
    const step = this.scopes.read(event);
    const change = step === undefined ? undefined : this.apply(step);
    if (this.isOver()) {
      this.objects.undo();
      return undefined;
    }
    return this.isBegun || this.begun !== undefined ? this.joined(change) : change;
  }

  /** Joins the events of one change. */
  private joined(change: ResourceChange<U> | undefined): ResourceChange<U> | undefined {
    const { begun } = this;
    if (change !== undefined) {
      const { previousResourceVersion = '' } = begun ?? change;
      this.begun = {
        ...change,
        previousResourceVersion,
        events: begun === undefined ? change.events : [...begun.events, ...change.events],
      };
    }
    if (this.isBegun || this.begun === undefined) return undefined;
    const whole = { ...this.begun, events: deletionsFirst(this.begun.events) };
    this.begun = undefined;
    return whole;
  }

  private apply(step: Step<T, Listing<T, U>>): ResourceChange<U> | undefined {
    switch (step.do) {
      case 'publish':
        return this.publish(step.scope, step.list, step.resourceVersion);
      case 'reach':
        step.scope.resourceVersion = step.resourceVersion;
        if (step.scope.ready) this.store.bookmark(step.resourceVersion);
        return undefined;
      case 'change': {
        const { scope, key, event, previousResourceVersion } = step;
        const isUndelivered = this.isUndelivered(key);
        const events = this.scopes.move(scope, key, event) ? nothing : this.change(key, event, isUndelivered);
        if (events.length === 0) return undefined;
        const { name, resourceVersion } = scope;
        return { cause: 'watch', events, scope: name, resourceVersion, previousResourceVersion, synced: this.scopes.allReady() };
      }
    }
  }

  private change(
    key: string,
    { type, object, resourceVersion, reason, key: givenKey }: SourceChange<T>,
    isUndelivered: boolean,
  ): readonly ObjectEvent<U>[] {
    if (type !== 'deleted') {
      const circumstances = isUndelivered ? newsFromWatch : fromWatch;
      return this.objects.upsert(
        key,
        object,
        resourceVersion,
        givenKey === undefined ? circumstances : { ...circumstances, isCurrent: false },
      );
    }
    return reason === undefined
      ? this.objects.remove(key, object, resourceVersion)
      : this.objects.remove(key, undefined, undefined, reason);
  }

  /** Makes a completed list the content of its scope, in one step. */
  private publish(scope: ScopeOf<T, U>, list: Listing<T, U>, listVersion: string): ResourceChange<U> | undefined {
    const { store, scopes, objects } = this;
    const resourceVersion = listVersion || store.lastStoreSyncResourceVersion();
    const previousResourceVersion = list.previousResourceVersion || scope.resourceVersion;
    const mayBeOlder =
      list.isKeyed || this.mayBeOlder(listVersion, scope.resourceVersion || previousResourceVersion || this.inheritedVersion);
    if (mayBeOlder) list.transformAll();
    const { kept, vanished, events } = this.differenceOf(scope, list, mayBeOlder);
    const staged = this.stagedWith(list, kept);
    if (this.isOver()) return undefined;
    objects.dropped('same version', () => this.unchanged(list, events));
    objects.dropped('transform failed', () => [...list.failing]);
    staged.publish(resourceVersion, vanished);
    objects.reach(resourceVersion);
    objects.reportIndexes();
    for (const key of vanished) {
      scopes.inherited.delete(key);
      objects.forget(key);
    }
    this.confirm(list);
    scopes.settle(scope, list, listVersion);
    const synced = scopes.allReady();
    if (synced) this.initial = false;
    return { cause: 'list', events, scope: scope.name, resourceVersion, previousResourceVersion, synced };
  }

  /** Whether a list may be older than the content: then equal versions may have different contents. Versions that are not numbers cannot be compared. */
  private mayBeOlder(listVersion: string, seen: string): boolean {
    if (seen === '' || listVersion === '' || seen === listVersion) return false;
    return (compareResourceVersions(listVersion, seen) ?? -1) < 0;
  }

  /**
   * What a complete list changes: the cached values kept instead of the listed ones (same version, or the transform failed); the keys that are gone; the
   * events, deletions first.
   */
  private differenceOf(scope: ScopeOf<T, U>, list: Listing<T, U>, mayBeOlder: boolean) {
    const { store, initial, objects } = this;
    const inferred = scope.ready || !initial;
    const kept = new Map<string, U>();
    const deleted: ObjectEvent<U>[] = [];
    const upserted: ObjectEvent<U>[] = [];
    let matches = 0;

    for (const [key, listed] of list.values) {
      const before = store.getByKey(key);
      if (before === undefined) {
        if (listed !== failed) upserted.push({ type: 'added', key, object: listed, initial, inferred });
        continue;
      }
      matches += 1;
      const known = objects.identityOf(key, before);
      const identity = listed === failed ? known : list.identityOf(key, listed);
      const object = listed === failed || (!mayBeOlder && isSameVersion(known, identity)) ? before : listed;
      if (object !== listed) kept.set(key, object);
      if (isRecreated(known, identity)) {
        deleted.push(missedDeletion(key, before));
        upserted.push({ type: 'added', key, object, initial, inferred });
      } else if (object !== before || this.isUndelivered(key)) {
        upserted.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred: true });
      }
    }
    const vanished = new Set(this.scopes.vanished(scope, list, matches));
    for (const key of vanished) {
      const object = store.getByKey(key);
      if (object !== undefined) deleted.push(missedDeletion(key, object));
    }
    return { kept, vanished, events: deleted.length === 0 ? upserted : deleted.concat(upserted) };
  }

  /** The keys of a list whose objects change nothing. */
  private unchanged({ values, failing }: Listing<T, U>, events: readonly ObjectEvent<U>[]): readonly string[] {
    const changed = new Set(events.map(({ key }) => key));
    return [...values.keys()].filter((key) => !changed.has(key) && !failing.has(key));
  }

  /** The content of a list, with the values that are kept. A list that began as the only one is staged again as a part if there are several scopes now. */
  private stagedWith(list: Listing<T, U>, kept: ReadonlyMap<string, U>): StagedContent<U> {
    let { staged } = list;
    let added: Iterable<readonly [string, U | typeof failed]> = kept;
    if (staged.whole && !this.scopes.isAlone()) {
      staged = this.objects.content.stage(false);
      added = [...list.values, ...kept];
    }
    for (const [key, value] of added) if (value !== failed) staged.put(key, value);
    return staged;
  }

  /** Records that every object of a list has been delivered, which of them have failed, and what they were as sent. */
  private confirm(list: Listing<T, U>): void {
    const { objects, scopes } = this;
    // Without a transform, and once every inherited key is confirmed, there is nothing to record.
    if (!objects.transformed && scopes.inherited.size + objects.degraded.size + list.failing.size === 0) return;
    for (const [key, listed] of list.values) {
      scopes.inherited.delete(key);
      if (list.failing.has(key)) objects.degraded.add(key);
      else objects.degraded.delete(key);
      const stored = this.store.getByKey(key);
      if (listed !== failed && stored !== undefined) objects.remember(key, stored, list.identityOf(key, listed));
    }
  }

  /** Whether subscribers have not received the stored value yet. */
  private isUndelivered(key: string): boolean {
    return !this.known && this.scopes.inherited.has(key);
  }
}
