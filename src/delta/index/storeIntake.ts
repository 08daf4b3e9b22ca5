import { compareResourceVersions } from '../../api/kubernetesObject.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { AddedEvent, Delta, LeaveReason, ObjectEvent, ResourceChange } from '../../api/events.js';
import type { StagedContent, Store } from '../../cache/store/store.js';
import {
  createIdentityMemory,
  type Identity,
  type IdentityMemory,
  isRecreated,
  isSameVersion,
  missedDeletion,
  objectIdentity,
} from './identity.js';
import { type HalfList, Intake, type Scope, type SourceChange } from './intake.js';
import { listDifference } from './listDifference.js';
import { createObjectIntake, failed, type ObjectIntake, type ScanToIndexOptions } from './objectIntake.js';

type Change<U> = ResourceChange<U> | undefined;

/** The flags of an event, beside its object. */
interface Circumstances {
  readonly initial: boolean;
  /** Whether the event was inferred from a list. */
  readonly inferred: boolean;
  /** Whether to emit it even if nothing has changed. */
  readonly isNews: boolean;
}

const fromWatch: Circumstances = { initial: false, inferred: false, isNews: false };
const newsFromWatch: Circumstances = { ...fromWatch, isNews: true };
const nothing: readonly never[] = [];

/** Whether a store has the content of a `replace`. */
function holds<U>(store: Store<U>, content: ReadonlyMap<string, U>, whole: boolean): boolean {
  for (const [key, value] of content) if (store.getByKey(key) !== value) return false;
  return !whole || store.listKeys().length === content.size;
}

/** Stages an object of a list that is still arriving in the store, so that the work for a large list is not done at its end in one go. */
function stageValue<U>(half: HalfList<U>, key: string, value: U): void {
  try {
    // mutation chain: equivalent: the TypeError is caught, and `staged` is already undefined
    half.staged?.put(value, key);
  } catch {
    // The store will refuse the whole list for the same reason, and the error is reported then.
    half.staged = undefined;
  }
}

/** Writes source events (`accept`) and deltas (`apply`) to a store, and returns what changes for subscribers that have its previous content. */
// mutation list, statement, text: equivalent but for time and memory: staged content is used only if it has all objects of the list
export class StoreIntake<T, U> extends Intake<T, U, ResourceChange<U>> {
  /** The identities of the stored values, as sent. */
  identities: IdentityMemory;
  private readonly store: Store<U>;
  private readonly objects: ObjectIntake<T, U>;
  private readonly transformed: boolean;
  /** The keys whose last version could not be transformed. */
  private readonly degraded: Set<string>;
  /** Objects from deltas none of whose versions could be transformed: known, though not in the store. */
  private readonly unready = new Map<string, T>();
  private readonly inheritedVersion: string;
  private readonly known: boolean;
  /** True until every scope has been listed once. */
  private initial: boolean;

  constructor(store: Store<U>, options: ScanToIndexOptions<T, U>, onError: (error: InformerError) => void) {
    super(options.scopes, store.listKeys());
    this.store = store;
    this.objects = createObjectIntake<T, U>({ ...options, onError });
    this.transformed = options.transform !== undefined;
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
    this.identities = createIdentityMemory(this.transformed);
    this.inheritedVersion = store.lastStoreSyncResourceVersion();
    // mutation fallback: equivalent: undefined is as falsy as false
    this.known = options.known ?? false;
    this.initial = !this.known;
  }

  /** Applies a delta. `version` becomes the store's version; by default that of the object. */
  apply(delta: Delta<T>, isInInitialList: boolean, version?: string): readonly ObjectEvent<U>[] {
    const { store, unready } = this;
    const { type, key, object } = delta;
    unready.delete(key);
    if (type === 'Deleted') return this.remove(key, delta.finalStateUnknown ? undefined : object, version, delta.reason);
    const before = store.getByKey(key);
    if (type === 'Sync' && before !== undefined && before === (object as unknown)) {
      return [{ type: 'updated', key, object: before, oldObject: before, resync: true, inferred: false }];
    }
    const isNews = isInInitialList && !this.known;
    const events = this.upsert(key, object, version, { initial: isInInitialList, inferred: type === 'Replaced', isNews });
    if (this.degraded.has(key) && store.getByKey(key) === undefined) unready.set(key, object);
    return events;
  }

  /** The known keys for `deltaFifo`: those of the store, and those of objects that could not be transformed. */
  listKeys(): string[] {
    // mutation condition: equivalent but for time
    return this.unready.size === 0 ? this.store.listKeys() : [...new Set([...this.store.listKeys(), ...this.unready.keys()])];
  }

  getByKey(key: string): T | U | undefined {
    return this.store.getByKey(key) ?? this.unready.get(key);
  }

  /**
   * Stores an object. Does nothing when its version is cached already, or when it cannot be transformed. `version` becomes the store's version; by default
   * that of the object.
   */
  private upsert(
    key: string,
    object: T,
    version: string | undefined,
    { initial, inferred, isNews }: Circumstances,
  ): readonly ObjectEvent<U>[] {
    const { store, identities, degraded } = this;
    const before = store.getByKey(key);
    // Read before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const value = this.objects.valueOf(key, object, before);
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
    if (!this.write('update', key, value, version ?? identity.resourceVersion)) return nothing;
    identities.remember(key, value, identity);
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial, inferred: inferred && !initial };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred }];
  }

  /** Removes an object, whose last state may be unknown; `version` as for `upsert`. With a `reason`, the object was not deleted on the server. */
  // mutation condition: an undefined `reason` counts as absent, and every caller but a bare `processDeltas` passes the version
  private remove(key: string, object: T | undefined, version: string | undefined, reason?: LeaveReason): readonly ObjectEvent<U>[] {
    const { store, identities } = this;
    const before = store.getByKey(key);
    if (before === undefined) {
      this.forget(key);
      return this.bookmark(version);
    }
    const identity = objectIdentity(object);
    const isMissed = object === undefined || isRecreated(identities.recall(key, before), identity);
    const value = isMissed ? failed : this.objects.valueOf(key, object, before);
    const versionAfter = version ?? (isMissed ? store.lastStoreSyncResourceVersion() : identity.resourceVersion);
    if (!this.write('delete', key, before, versionAfter)) return nothing;
    this.forget(key);
    if (isMissed) return [reason === undefined ? missedDeletion(key, before) : { ...missedDeletion(key, before), reason }];
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }

  protected override keyOf(object: T, told?: string): string | undefined {
    return this.objects.keyOf(object, told);
  }

  protected override presentKeys(): readonly string[] {
    // An object that could not be transformed is present, though not in the store.
    // mutation condition: equivalent but for time
    return this.degraded.size === 0 ? this.store.listKeys() : [...new Set([...this.store.listKeys(), ...this.degraded])];
  }

  protected override stage(): Pick<HalfList<U>, 'identities' | 'staged'> {
    // With several scopes, a list replaces only a part of the store's content.
    return { identities: createIdentityMemory(this.transformed), staged: this.store.stage?.(this.isAlone()) };
  }

  protected override reach(scope: Scope<U>, resourceVersion: string): Change<U> {
    scope.resourceVersion = resourceVersion;
    // A refused list is retried at each bookmark, about once a minute.
    if (scope.refused !== undefined) return this.publish(scope, scope.refused, resourceVersion);
    if (scope.ready) this.store.bookmark(resourceVersion);
    return undefined;
  }

  protected override change(scope: Scope<U>, key: string, event: SourceChange<T>, previousResourceVersion: string): Change<U> {
    const isUntold = this.isUntold(key);
    const events = this.move(scope, key, event) ? nothing : this.applyChange(key, event, isUntold);
    if (scope.refused !== undefined) {
      if (event.type === 'deleted') this.drop(scope.refused, key);
      else this.collect(scope.refused, key, event.object);
    }
    if (events.length === 0) return undefined;
    const { name, resourceVersion } = scope;
    return { cause: 'watch', events, scope: name, resourceVersion, previousResourceVersion, synced: this.allReady() };
  }

  private applyChange(
    key: string,
    { type, object, resourceVersion, reason }: SourceChange<T>,
    isUntold: boolean,
  ): readonly ObjectEvent<U>[] {
    if (type !== 'deleted') return this.upsert(key, object, resourceVersion, isUntold ? newsFromWatch : fromWatch);
    return reason === undefined ? this.remove(key, object, resourceVersion) : this.remove(key, undefined, undefined, reason);
  }

  protected override collect(half: HalfList<U>, key: string, object: T): void {
    const identity = objectIdentity(object);
    const before = this.store.getByKey(key);
    // mutation logic: equivalent but for time
    if (before !== undefined && this.transformed && isSameVersion(this.identities.recall(key, before), identity)) {
      // Use the cached value, unless the list turns out to be older than the cache.
      half.untransformed.set(key, object);
      this.hold(half, key, before, identity);
      return;
    }
    half.untransformed.delete(key);
    this.hold(half, key, this.objects.valueOf(key, object, before), identity);
  }

  private hold(half: HalfList<U>, key: string, value: U | typeof failed, identity: Identity): void {
    if (value === failed) {
      half.failing.add(key);
      if (!half.values.has(key)) half.values.set(key, failed);
    } else {
      half.failing.delete(key);
      half.values.set(key, value);
      half.identities.remember(key, value, identity);
      stageValue(half, key, value);
    }
  }

  protected override drop(half: HalfList<U>, key: string): void {
    half.values.delete(key);
    half.failing.delete(key);
    half.untransformed.delete(key);
    half.identities.forget(key);
    half.staged?.remove(key);
  }

  /** Makes a completed list the content of its scope, in one step. A list that the store refuses is kept, to be retried. */
  // mutation condition, fallback, logic, text: equivalent but for time
  protected override publish(scope: Scope<U>, half: HalfList<U>, listVersion: string): Change<U> {
    const { store } = this;
    const resourceVersion = listVersion || store.lastStoreSyncResourceVersion();
    const previousResourceVersion = half.previousResourceVersion || scope.resourceVersion;
    // mutation logic: equivalent with all sources of this package: a list begins with the version that its scope has reached
    const seen = scope.resourceVersion || previousResourceVersion || this.inheritedVersion;
    // Versions that are not numbers cannot be compared.
    const isComparable = seen !== '' && listVersion !== '' && seen !== listVersion;
    // mutation comparison: equivalent: `isComparable` excludes equal versions
    half.mayBeOlder ||= isComparable && (compareResourceVersions(listVersion, seen) ?? -1) < 0;
    if (half.mayBeOlder) this.transformAll(half);
    const { size, kept, vanished, events } = listDifference({
      store,
      half,
      vanished: (matches) => this.vanished(scope, half, matches),
      identities: this.identities,
      compared: half.mayBeOlder,
      isUntold: (key) => this.isUntold(key),
      found: { initial: this.initial, inferred: scope.ready || !this.initial },
    });
    const staged = this.staged(half, size, kept);
    if (!this.replace(staged ?? this.contentWith(half, kept, vanished), resourceVersion, vanished)) {
      half.staged = undefined;
      scope.half = undefined;
      scope.refused = half;
      return undefined;
    }
    for (const key of vanished) {
      this.inherited.delete(key);
      this.forget(key);
    }
    if (staged?.whole === true && staged.verbatim) this.takeOver(half, kept);
    else this.confirm(half);
    this.settle(scope, half, listVersion);
    const synced = this.allReady();
    if (synced) this.initial = false;
    return { cause: 'list', events, scope: scope.name, resourceVersion, previousResourceVersion, synced };
  }

  /** Transforms objects whose version seemed cached: after a restore from a backup, one version may have two contents. */
  private transformAll(half: HalfList<U>): void {
    for (const [key, object] of half.untransformed) {
      const identity = objectIdentity(object);
      this.hold(half, key, this.objects.valueOf(key, object as T, this.store.getByKey(key)), identity);
    }
    half.untransformed.clear();
  }

  /** The content staged while the list arrived, if it is exactly what the store is to hold. */
  // mutation block, condition, logic: equivalent but for time
  private staged(half: HalfList<U>, size: number, kept: ReadonlyMap<string, U>): StagedContent<U> | undefined {
    for (const [key, value] of kept) stageValue(half, key, value);
    const { staged } = half;
    const isFit = staged?.whole === false || this.isAlone();
    // mutation comparison: equivalent but for time: otherwise the objects are put into the store one by one
    return isFit && staged?.objects.size === size ? staged : undefined;
  }

  /** The whole new content of the store, including that of the other scopes. */
  private contentWith(half: HalfList<U>, kept: ReadonlyMap<string, U>, vanished: ReadonlySet<string>): Map<string, U> {
    const values = new Map<string, U>();
    for (const [key, listed] of half.values) {
      const value = kept.get(key) ?? listed;
      if (value !== failed) values.set(key, value);
    }
    // mutation condition: equivalent but for time
    for (const key of this.isAlone() ? [] : this.store.listKeys()) {
      const object = half.values.has(key) || vanished.has(key) ? undefined : this.store.getByKey(key);
      if (object !== undefined) values.set(key, object);
    }
    return values;
  }

  /** Replaces the store's content by these values, or by the staged ones (a part: deleting the keys in `gone`). Returns whether the store has them. */
  private replace(content: ReadonlyMap<string, U> | StagedContent<U>, resourceVersion: string, gone: ReadonlySet<string>): boolean {
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

  /** Updates the bookkeeping after the content of `half` has been stored. */
  private takeOver(half: HalfList<U>, kept: ReadonlyMap<string, U>): void {
    this.inherited.clear();
    this.degraded.clear();
    for (const key of half.failing) this.degraded.add(key);
    for (const [key, value] of kept) half.identities.remember(key, value, this.identities.recall(key, value));
    this.identities = half.identities;
  }

  private confirm(half: HalfList<U>): void {
    // Usually nothing is to be recorded.
    // mutation condition: equivalent but for time
    if (!this.transformed && this.inherited.size === 0) return;
    const { degraded, identities } = this;
    for (const [key, listed] of half.values) {
      this.inherited.delete(key);
      if (half.failing.has(key)) degraded.add(key);
      else degraded.delete(key);
      const stored = this.store.getByKey(key);
      if (listed !== failed && stored !== undefined) identities.remember(key, stored, half.identities.recall(key, listed));
    }
  }

  /** Whether subscribers have not received the stored value yet. */
  private isUntold(key: string): boolean {
    return !this.known && this.inherited.has(key);
  }

  private forget(key: string): void {
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
