import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import type { AddedEvent } from '../../api/events/resourceEvent.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { StagedContent } from '../../cache/store/stagedContent.js';
import { stageContent } from '../../cache/store/stageContent.js';
import type { Store } from '../../cache/store/store.js';
import { type Identity, identityOf, isRecreated, isSameVersion } from './identity.js';
import { createIdentityMemory, type IdentityMemory } from './identityMemory.js';
import { keyFuncOfValues } from './keyFuncOfValues.js';
import type { KeyMemory } from './keyMemory.js';
import { listDifference } from './listDifference.js';
import { mayBeOlder } from './mayBeOlder.js';
import { missedDeletion } from './missedDeletion.js';
import { createObjectIntake, failed, type ObjectIntake } from './objectIntake.js';
import type { ScanToIndexOptions } from './scanToIndexOptions.js';
import { createScopes, type HalfList, type Scope, type Scopes } from './scopes.js';
import { stageValue } from './stageValue.js';
import { createStoreWriter, type StoreWriter } from './storeWriter.js';

type ChangeEvent<T> = Extract<SourceEvent<T>, { readonly type: 'added' | 'modified' | 'deleted' }>;
type Events<U> = readonly ObjectEvent<U>[];
type Change<U> = ResourceChange<U> | undefined;

const nothing: readonly never[] = [];

/**
 * One subscription of `scanToIndex`: changes the store, and knows what each change means for those who know what was in it before.
 */
export class StoreSession<T, U> {
  private readonly store: Store<U>;
  private readonly intake: ObjectIntake<T, U>;
  private readonly keys: KeyMemory | undefined;
  private readonly writer: StoreWriter<U>;
  private readonly scopes: Scopes<U>;
  private readonly degraded: Set<string>;
  private identities: IdentityMemory;
  private readonly transformed: boolean;
  /** The keys that were in the store at first and that no list has confirmed yet. */
  private readonly inherited: Set<string>;
  private readonly known: boolean;
  /** Until every scope has been listed once. */
  private initial: boolean;

  constructor(store: Store<U>, options: ScanToIndexOptions<T, U>) {
    this.store = store;
    this.transformed = options.transform !== undefined;
    this.identities = createIdentityMemory(this.transformed);
    this.intake = createObjectIntake(options);
    this.keys = options.keys;
    const keyFunc = keyFuncOfValues(options);
    this.writer = createStoreWriter(store, this.intake.report, keyFunc);
    this.inherited = new Set(store.listKeys());
    this.scopes = createScopes<U>({
      declared: options.scopes,
      // An object without a good value is there, although the store does not have it.
      cachedKeys: () => (this.degraded.size === 0 ? store.listKeys() : [...new Set([...store.listKeys(), ...this.degraded])]),
      inherited: this.inherited,
      transformed: this.transformed,
      stage: () => stageContent(store, keyFunc),
    });
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
    this.known = options.known ?? false;
    this.initial = !this.known;
  }

  /** Changes the store, and returns that change; undefined when there is nothing to say of it. */
  apply(event: SourceEvent<T>): Change<U> {
    if (event.type === 'status') return undefined;
    const scope = this.scopes.of(event.scope ?? '');
    switch (event.type) {
      case 'init':
        this.scopes.begin(scope, event.previousResourceVersion);
        return undefined;
      case 'page': {
        const half = scope.half ?? this.scopes.begin(scope, '');
        for (const object of event.items) this.collect(half, object);
        return undefined;
      }
      case 'ready':
        return scope.half === undefined ? undefined : this.publish(scope, scope.half, event.resourceVersion);
      case 'bookmark':
        scope.resourceVersion = event.resourceVersion;
        // Bookmarks come about once a minute: often enough, and not too often, to try again.
        if (scope.refused !== undefined) return this.publish(scope, scope.refused, event.resourceVersion);
        if (scope.ready) this.store.bookmark(event.resourceVersion);
        return undefined;
      default:
        return this.change(scope, event);
    }
  }

  private change(scope: Scope<U>, event: ChangeEvent<T>): Change<U> {
    const previousResourceVersion = scope.resourceVersion;
    const half = scope.half ?? (scope.ready ? undefined : (scope.refused ?? this.scopes.begin(scope, '')));
    if (half === undefined && event.resourceVersion !== '') scope.resourceVersion = event.resourceVersion;
    const key = this.intake.keyOf(event.object);
    if (key === undefined) return undefined;
    if (half !== undefined) {
      if (event.type === 'deleted') this.drop(half, key);
      else this.collect(half, event.object, key);
      return undefined;
    }
    const events = event.type === 'deleted' ? this.remove(scope, key, event) : this.upsert(scope, key, event);
    if (events === nothing) return undefined;
    const { resourceVersion } = scope;
    return { cause: 'watch', events, scope: scope.name, resourceVersion, previousResourceVersion, synced: this.scopes.allReady() };
  }

  private collect(half: HalfList<U>, object: T, key = this.intake.keyOf(object)): void {
    if (key === undefined) return;
    const identity = identityOf(object);
    const before = this.store.getByKey(key);
    if (before !== undefined && this.transformed && isSameVersion(this.identities.recall(key, before), identity)) {
      // Its value is cached, unless the list turns out to be older than the cache.
      half.untransformed.set(key, object);
      this.hold(half, key, before, identity);
      return;
    }
    half.untransformed.delete(key);
    const value = this.intake.valueOf(key, object, before);
    // A key that is remembered anyway is kept once.
    this.hold(half, (value === failed ? undefined : this.keys?.keyOf(value)) ?? key, value, identity);
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

  private drop(half: HalfList<U>, key: string): void {
    half.values.delete(key);
    half.failing.delete(key);
    half.untransformed.delete(key);
    half.identities.forget(key);
    half.staged?.remove(key);
  }

  /** Makes a completed list the content of its scope, in one step. One that the store refuses is kept, to be tried again. */
  private publish(scope: Scope<U>, half: HalfList<U>, listVersion: string): Change<U> {
    const { store, scopes, identities } = this;
    const resourceVersion = listVersion || store.lastStoreSyncResourceVersion();
    const previousResourceVersion = half.previousResourceVersion || scope.resourceVersion;
    const seen = scope.resourceVersion || previousResourceVersion || (this.inherited.size > 0 ? store.lastStoreSyncResourceVersion() : '');
    half.mayBeOlder ||= mayBeOlder(listVersion, seen);
    if (half.mayBeOlder) this.transformAll(half);
    const { values, kept, vanished, events } = listDifference({
      store,
      half,
      vanished: (matches) => scopes.vanished(scope, half, matches),
      identities,
      compared: half.mayBeOlder,
      isUntold: (key) => this.isUntold(key),
      found: { initial: this.initial, inferred: scope.ready || !this.initial },
    });
    if (!scopes.isAlone()) this.addOthers(values, half, vanished);

    const staged = this.staged(half, values, kept);
    if (!this.writer.replace(values, resourceVersion, staged)) {
      half.staged = undefined;
      scope.half = undefined;
      scope.refused = half;
      return undefined;
    }
    for (const key of vanished) this.forget(key);
    if (staged?.verbatim === true) this.takeOver(half, kept);
    else this.confirm(half);
    scopes.settle(scope, half, listVersion);
    const synced = scopes.allReady();
    if (synced) this.initial = false;
    return { cause: 'list', events, scope: scope.name, resourceVersion, previousResourceVersion, synced };
  }

  /** In a history that was set back, one version may have had two contents. */
  private transformAll(half: HalfList<U>): void {
    for (const [key, object] of half.untransformed) {
      const identity = identityOf(object);
      this.hold(half, key, this.intake.valueOf(key, object as T, this.store.getByKey(key)), identity);
    }
    half.untransformed.clear();
  }

  /** What the store has taken in while the list arrived, if it is to hold just that. */
  private staged(half: HalfList<U>, values: readonly U[], kept: ReadonlyMap<string, U>): StagedContent<U> | undefined {
    for (const [key, value] of kept) stageValue(half, key, value);
    const { staged } = half;
    return this.scopes.isAlone() && staged?.objects.size === values.length ? staged : undefined;
  }

  /** What the other scopes hold stays. */
  private addOthers(values: U[], half: HalfList<U>, vanished: ReadonlySet<string>): void {
    for (const key of this.store.listKeys()) {
      const object = half.values.has(key) || vanished.has(key) ? undefined : this.store.getByKey(key);
      if (object !== undefined) values.push(object);
    }
  }

  /** When the store holds just what `half` has. */
  private takeOver(half: HalfList<U>, kept: ReadonlyMap<string, U>): void {
    this.inherited.clear();
    this.degraded.clear();
    for (const key of half.failing) this.degraded.add(key);
    for (const [key, value] of kept) half.identities.remember(key, value, this.identities.recall(key, value));
    this.identities = half.identities;
  }

  private confirm(half: HalfList<U>): void {
    // Mostly there is nothing to take note of.
    if (!this.transformed && this.inherited.size === 0) return;
    for (const [key, listed] of half.values) {
      this.inherited.delete(key);
      if (half.failing.has(key)) this.degraded.add(key);
      else this.degraded.delete(key);
      const stored = this.store.getByKey(key);
      if (listed !== failed && stored !== undefined) this.identities.remember(key, stored, half.identities.recall(key, listed));
    }
  }

  private upsert(scope: Scope<U>, key: string, { object, resourceVersion }: ChangeEvent<T>): Events<U> {
    scope.owned?.add(key);
    const before = this.store.getByKey(key);
    // Before the transform, which may change the object in place.
    const identity = identityOf(object);
    const value = this.intake.valueOf(key, object, before);
    if (scope.refused !== undefined) this.hold(scope.refused, key, value, identity);
    if (value === failed) {
      this.degraded.add(key);
      this.store.bookmark(resourceVersion);
      return nothing;
    }
    this.degraded.delete(key);
    const recreated = before !== undefined && isRecreated(this.identities.recall(key, before), identity);
    if (value === before && !recreated && !this.isUntold(key)) {
      this.identities.remember(key, value, identity);
      this.store.bookmark(resourceVersion);
      return nothing;
    }
    if (!this.writer.put(key, value, resourceVersion)) return nothing;
    this.inherited.delete(key);
    this.identities.remember(key, value, identity);
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial: false, inferred: false };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred: false }];
  }

  private remove(scope: Scope<U>, key: string, { object, resourceVersion }: ChangeEvent<T>): Events<U> {
    const isHeldElsewhere = this.scopes.isHeldElsewhere(scope, key);
    scope.owned?.delete(key);
    if (scope.refused !== undefined) this.drop(scope.refused, key);
    if (isHeldElsewhere) return nothing;
    const before = this.store.getByKey(key);
    if (before === undefined) {
      this.forget(key);
      this.store.bookmark(resourceVersion);
      return nothing;
    }
    const value = this.intake.valueOf(key, object, before);
    if (!this.writer.remove(key, before, resourceVersion)) return nothing;
    this.forget(key);
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }

  private isUntold(key: string): boolean {
    return !this.known && this.inherited.has(key);
  }

  private forget(key: string): void {
    this.inherited.delete(key);
    this.identities.forget(key);
    this.degraded.delete(key);
  }
}
