import type { InformerError } from '../../api/errors/informerError.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { StagedContent } from '../../cache/store/stagedContent.js';
import type { Store } from '../../cache/store/store.js';
import { type Identity, objectIdentity, isSameVersion } from './identity.js';
import { listDifference } from './listDifference.js';
import { failed } from './objectIntake.js';
import type { ScanToIndexOptions } from './scanToIndexOptions.js';
import { type HalfList, type Scope, Scopes } from './scopes.js';
import { acceptSourceEvent, type IntakeTarget, type SourceChange } from './acceptSourceEvent.js';
import { type Circumstances, StoreApplier } from './storeApplier.js';
import { compareResourceVersions } from '../../api/compareResourceVersions.js';

type Change<U> = ResourceChange<U> | undefined;

const fromWatch: Circumstances = { initial: false, inferred: false, isNews: false };
const newsFromWatch: Circumstances = { ...fromWatch, isNews: true };

/** One subscription of `scanToIndex`: changes the store as source events say. */
export class StoreSession<T, U> implements IntakeTarget<T, U, ResourceChange<U>> {
  private readonly store: Store<U>;
  private readonly applier: StoreApplier<T, U>;
  private readonly scopes: Scopes<U>;
  private readonly transformed: boolean;
  /** The keys that were in the store at first and that no list has confirmed yet. */
  private readonly inherited: Set<string>;
  private readonly inheritedVersion: string;
  private readonly known: boolean;
  /** Until every scope has been listed once. */
  private initial: boolean;

  constructor(store: Store<U>, options: ScanToIndexOptions<T, U>, onError: (error: InformerError) => void) {
    const applier = new StoreApplier<T, U>(store, options, onError);
    const { degraded } = applier;
    this.store = store;
    this.applier = applier;
    this.transformed = options.transform !== undefined;
    this.inherited = new Set(store.listKeys());
    this.inheritedVersion = store.lastStoreSyncResourceVersion();
    this.known = options.known ?? false;
    this.initial = !this.known;
    this.scopes = new Scopes<U>({
      declared: options.scopes,
      // An object without a good value is there, although the store does not have it.
      cachedKeys: () => (degraded.size === 0 ? store.listKeys() : [...new Set([...store.listKeys(), ...degraded])]),
      inherited: this.inherited,
      transformed: this.transformed,
      stage: (whole) => store.stage?.(whole),
    });
  }

  /** Changes the store, and returns that change; undefined when there is nothing to say of it. */
  apply(event: SourceEvent<T>): Change<U> {
    return acceptSourceEvent(event, this.scopes, this);
  }

  keyOf(object: T, told?: string): string | undefined {
    return this.applier.intake.keyOf(object, told);
  }

  reach(scope: Scope<U>, resourceVersion: string): Change<U> {
    scope.resourceVersion = resourceVersion;
    // Bookmarks come about once a minute: often enough, and not too often, to try again.
    if (scope.refused !== undefined) return this.publish(scope, scope.refused, resourceVersion);
    if (scope.ready) this.store.bookmark(resourceVersion);
    return undefined;
  }

  change(scope: Scope<U>, key: string, event: SourceChange<T>, previousResourceVersion: string): Change<U> {
    const events = event.type === 'deleted' ? this.remove(scope, key, event) : this.upsert(scope, key, event);
    if (events.length === 0) return undefined;
    const { name, resourceVersion } = scope;
    return { cause: 'watch', events, scope: name, resourceVersion, previousResourceVersion, synced: this.scopes.allReady() };
  }

  private upsert(scope: Scope<U>, key: string, { object, resourceVersion }: SourceChange<T>): ResourceChange<U>['events'] {
    const isNews = this.isUntold(key);
    scope.owned?.add(key);
    this.inherited.delete(key);
    const events = this.applier.upsert(key, object, resourceVersion, isNews ? newsFromWatch : fromWatch);
    if (scope.refused !== undefined) this.collect(scope.refused, key, object);
    return events;
  }

  private remove(scope: Scope<U>, key: string, { object, resourceVersion, reason }: SourceChange<T>): ResourceChange<U>['events'] {
    const isHeldElsewhere = this.scopes.isHeldElsewhere(scope, key);
    scope.owned?.delete(key);
    if (scope.refused !== undefined) this.drop(scope.refused, key);
    if (isHeldElsewhere) return [];
    this.inherited.delete(key);
    return reason === undefined
      ? this.applier.remove(key, object, resourceVersion)
      : this.applier.remove(key, undefined, undefined, reason);
  }

  collect(half: HalfList<U>, key: string, object: T): void {
    const { intake, identities } = this.applier;
    const identity = objectIdentity(object);
    const before = this.store.getByKey(key);
    if (before !== undefined && this.transformed && isSameVersion(identities.recall(key, before), identity)) {
      // Its value is cached, unless the list turns out to be older than the cache.
      half.untransformed.set(key, object);
      this.hold(half, key, before, identity);
      return;
    }
    half.untransformed.delete(key);
    const value = intake.valueOf(key, object, before);
    this.hold(half, key, value, identity);
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

  drop(half: HalfList<U>, key: string): void {
    half.values.delete(key);
    half.failing.delete(key);
    half.untransformed.delete(key);
    half.identities.forget(key);
    half.staged?.remove(key);
  }

  /** Makes a completed list the content of its scope, in one step. One that the store refuses is kept, to be tried again. */
  publish(scope: Scope<U>, half: HalfList<U>, listVersion: string): Change<U> {
    const { store, scopes, applier } = this;
    const resourceVersion = listVersion || store.lastStoreSyncResourceVersion();
    const previousResourceVersion = half.previousResourceVersion || scope.resourceVersion;
    const seen = scope.resourceVersion || previousResourceVersion || this.inheritedVersion;
    // Versions that are no numbers cannot tell.
    const isComparable = seen !== '' && listVersion !== '' && seen !== listVersion;
    half.mayBeOlder ||= isComparable && (compareResourceVersions(listVersion, seen) ?? -1) < 0;
    if (half.mayBeOlder) this.transformAll(half);
    const { size, kept, vanished, events } = listDifference({
      store,
      half,
      vanished: (matches) => scopes.vanished(scope, half, matches),
      identities: applier.identities,
      compared: half.mayBeOlder,
      isUntold: (key) => this.isUntold(key),
      found: { initial: this.initial, inferred: scope.ready || !this.initial },
    });
    const staged = this.staged(half, size, kept);
    if (!applier.replace(staged ?? this.contentWith(half, kept, vanished), resourceVersion, vanished)) {
      half.staged = undefined;
      scope.half = undefined;
      scope.refused = half;
      return undefined;
    }
    for (const key of vanished) {
      this.inherited.delete(key);
      applier.forget(key);
    }
    if (staged?.whole === true && staged.verbatim) this.takeOver(half, kept);
    else this.confirm(half);
    scopes.settle(scope, half, listVersion);
    const synced = scopes.allReady();
    if (synced) this.initial = false;
    return { cause: 'list', events, scope: scope.name, resourceVersion, previousResourceVersion, synced };
  }

  /** In a history that was set back, one version may have had two contents. */
  private transformAll(half: HalfList<U>): void {
    for (const [key, object] of half.untransformed) {
      const identity = objectIdentity(object);
      this.hold(half, key, this.applier.intake.valueOf(key, object as T, this.store.getByKey(key)), identity);
    }
    half.untransformed.clear();
  }

  /** What the store has taken in while the list arrived, if it is to hold just that. */
  private staged(half: HalfList<U>, size: number, kept: ReadonlyMap<string, U>): StagedContent<U> | undefined {
    for (const [key, value] of kept) stageValue(half, key, value);
    const { staged } = half;
    const isFit = staged?.whole === false || this.scopes.isAlone();
    return isFit && staged?.objects.size === size ? staged : undefined;
  }

  /** All that the store is to hold: what the other scopes hold stays. */
  private contentWith(half: HalfList<U>, kept: ReadonlyMap<string, U>, vanished: ReadonlySet<string>): Map<string, U> {
    const values = new Map<string, U>();
    for (const [key, listed] of half.values) {
      const value = kept.get(key) ?? listed;
      if (value !== failed) values.set(key, value);
    }
    for (const key of this.scopes.isAlone() ? [] : this.store.listKeys()) {
      const object = half.values.has(key) || vanished.has(key) ? undefined : this.store.getByKey(key);
      if (object !== undefined) values.set(key, object);
    }
    return values;
  }

  /** When the store holds just what `half` has. */
  private takeOver(half: HalfList<U>, kept: ReadonlyMap<string, U>): void {
    const { applier } = this;
    this.inherited.clear();
    applier.degraded.clear();
    for (const key of half.failing) applier.degraded.add(key);
    for (const [key, value] of kept) half.identities.remember(key, value, applier.identities.recall(key, value));
    applier.identities = half.identities;
  }

  private confirm(half: HalfList<U>): void {
    // Mostly there is nothing to take note of.
    if (!this.transformed && this.inherited.size === 0) return;
    const { degraded, identities } = this.applier;
    for (const [key, listed] of half.values) {
      this.inherited.delete(key);
      if (half.failing.has(key)) degraded.add(key);
      else degraded.delete(key);
      const stored = this.store.getByKey(key);
      if (listed !== failed && stored !== undefined) identities.remember(key, stored, half.identities.recall(key, listed));
    }
  }

  private isUntold(key: string): boolean {
    return !this.known && this.inherited.has(key);
  }
}

/** Has the store take in an object of a list that is still arriving: what takes long for many objects must not happen in one go. */
function stageValue<U>(half: HalfList<U>, key: string, value: U): void {
  try {
    half.staged?.put(value, key);
  } catch {
    // It will refuse the whole list for the same reason, and then that is reported.
    half.staged = undefined;
  }
}
