import { Observable, type OperatorFunction } from 'rxjs';
import { endOf, type InformerError } from '../../api/errors/informerError.js';
import type { ObjectEvent, ResourceChange, SourceEvent } from '../../api/events.js';
import { compareResourceVersions, isRecreated, isSameVersion } from '../../api/kubernetesObject.js';
import { checkOptions, rules } from '../../api/options.js';
import { type Content, contentOf, type StagedContent } from '../../cache/store/content.js';
import { type CacheStore, expectStore, type StoreOf } from '../../cache/store/store.js';
import { follow } from '../../rx/trampoline.js';
import { deletionsFirst } from '../buffers/pendingEvents.js';
import { CachedObjects, type CacheOptions, cacheRules, failed, Listing, missedDeletion, type Sent } from './cachedObjects.js';
import { declaredScopes, type Scope, Scopes, type SourceChange, type Step } from './scopes.js';

/** Options of `scanToIndex`. */
export interface ScanToIndexOptions<T, U = T> extends CacheOptions<T, U> {
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

type ScopeOf<T, U> = Scope<Listing<T, U>>;

const nothing: readonly never[] = [];

/** The cache: takes source events, changes its store, and returns the changes. */
export class Cache<T, U> {
  private readonly objects: CachedObjects<T, U>;
  private readonly scopes: Scopes<T, Listing<T, U>>;
  private readonly inheritedVersion: string;
  private readonly known: boolean;
  /** Whether some scope has not been listed yet. */
  private initial: boolean;
  /** The events of a change whose last source event has not come yet. */
  private begun: ResourceChange<U> | undefined;
  private isBegun = false;

  constructor(objects: CachedObjects<T, U>, options: Pick<ScanToIndexOptions<T, U>, 'scopes' | 'known'>) {
    const { store } = objects;
    this.objects = objects;
    this.scopes = new Scopes<T, Listing<T, U>>({
      declared: options.scopes,
      // An object that could not be transformed is present, though not in the store.
      presentKeys: () => (objects.degraded.size === 0 ? store.listKeys() : [...new Set([...store.listKeys(), ...objects.degraded])]),
      keyOf: (object, givenKey) => objects.keyOf(object, givenKey),
      // With several scopes, a list replaces only a part of the store's content.
      begin: (abandoned) => {
        if (abandoned !== undefined) objects.dropped('stale list', () => [...abandoned.values.keys()]);
        return new Listing(objects, this.scopes.isAlone());
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
    // What a change has written until the session has ended is taken back.
    if (this.objects.isOver()) {
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
      this.begun = { ...change, previousResourceVersion, events: [...(begun?.events ?? []), ...change.events] };
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
        if (step.scope.ready) this.objects.store.bookmark(step.resourceVersion);
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
      const circumstances = { initial: false, inferred: false, isNews: isUndelivered, isCurrent: givenKey === undefined };
      return this.objects.upsert(key, object, resourceVersion, circumstances);
    }
    return reason === undefined
      ? this.objects.remove(key, object, resourceVersion)
      : this.objects.remove(key, undefined, undefined, reason);
  }

  /** Makes a completed list the content of its scope, in one step. */
  private publish(scope: ScopeOf<T, U>, list: Listing<T, U>, listVersion: string): ResourceChange<U> | undefined {
    const { scopes, objects } = this;
    const resourceVersion = listVersion || objects.store.lastStoreSyncResourceVersion();
    const previousResourceVersion = scope.previousResourceVersion || scope.resourceVersion;
    const mayBeOlder =
      scope.isKeyed || this.mayBeOlder(listVersion, scope.resourceVersion || previousResourceVersion || this.inheritedVersion);
    if (mayBeOlder) list.transformAll();
    const { kept, vanished, events } = this.differenceOf(scope, list, mayBeOlder);
    const staged = this.stagedWith(list, kept);
    objects.dropped('same version', () => this.unchanged(list, events));
    objects.dropped('transform failed', () => [...list.failing]);
    // A list that is published cannot be taken back.
    if (objects.isOver()) return undefined;
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
    const { initial, objects } = this;
    const inferred = scope.ready || !initial;
    const kept = new Map<string, U>();
    const deleted: ObjectEvent<U>[] = [];
    const upserted: ObjectEvent<U>[] = [];
    let matches = 0;

    for (const [key, listed] of list.values) {
      const before = objects.content.get(key);
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
      const object = objects.content.get(key);
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
      const stored = this.objects.content.get(key);
      if (listed !== failed && stored !== undefined) objects.remember(key, stored, list.identityOf(key, listed));
    }
  }

  /** Whether subscribers have not received the stored value yet. */
  private isUndelivered(key: string): boolean {
    return !this.known && this.scopes.inherited.has(key);
  }
}

/**
 * Folds source events into a store and emits the changes: first the store changes, then the change is emitted as one value.
 *
 * ```text
 * source  init  page(a b)  ready             deleted(a)  init  page(b' c)  ready
 * store                    {a b}             {b}                           {b' c}
 * result                   {+a +b, synced}   {-a}                          {~b +c, synced}
 * ```
 *
 * - A list is one `store.replace` and one change with the cause `list`, even when it changes nothing: `deleted` first
 *   (`finalStateUnknown`), then `added` and `updated` in the order of the list. `synced` says whether every scope is complete.
 * - A change with the cause `watch` has one event, or a `deleted` and an `added` for another uid under a name; of source events with `more`, those of
 *   all of them. The store's content decides between `added` and `updated`.
 * - An object that a list contains in the cached version is not emitted again, unless the list is older than the cache: then the contents are
 *   compared.
 * - The deletion of an object that is not in the store is not emitted. `bookmark` calls `store.bookmark`, `status` is dropped.
 * - Errors: objects without a key (`ERR_KEY`), failing transforms (`ERR_TRANSFORM`) and failing index functions (`ERR_INDEX_FUNC`) go to
 *   `onError` after the change they belong to, and concern that object alone, unless it returns `'stop'`. An error of the source passes through, and one that the store throws ends the
 *   result.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, reflect, scanToIndex, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * const indexer = createIndexer<KubernetesObject>();
 * reflect(pods).pipe(scanToIndex(indexer)).subscribe(({ cause, events }) => console.log(cause, events.length));
 * ```
 *
 * @throws TypeError when the store or an option is wrong.
 *
 * @see client-go: `processDeltas` and `processReplacedAll` in tools/cache/controller.go
 */
export function scanToIndex<T, U = T>(
  store: StoreOf<U>,
  options: ScanToIndexOptions<T, U> = {},
): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  expectStore('scanToIndex', store);
  checkOptions<ScanToIndexOptions<T, U>>('scanToIndex', options, {
    ...cacheRules,
    known: rules.boolean,
    keyFunc: rules.function,
    onError: rules.function,
    scopes: declaredScopes,
  });
  return cacheChanges<T, U>(store, contentOf(store), options);
}

/** `scanToIndex` without the checks. @param sent - that of the sessions before. @internal */
export function cacheChanges<T, U>(
  store: CacheStore<U>,
  content: Content<U>,
  options: ScanToIndexOptions<T, U>,
  sent?: Sent,
): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  return (source) =>
    new Observable((subscriber) => {
      const reports: InformerError[] = [];
      const onError = (error: InformerError): unknown => reports.push(error);
      const cache = new Cache(new CachedObjects<T, U>(store, content, { ...options, onError }, () => subscriber.closed, sent), options);
      const report = (): void => {
        for (const error of reports.splice(0)) {
          const end = endOf(options.onError, error);
          if (end === undefined) continue;
          subscriber.error(end);
          return;
        }
      };
      follow(source, subscriber, {
        next: (event) => {
          let change: ResourceChange<U> | undefined;
          try {
            change = cache.accept(event);
          } catch (error) {
            // The user's store has thrown, and may have the change by half.
            subscriber.error(error);
            return;
          }
          if (change !== undefined) subscriber.next(change);
          // `onError` may subscribe. It is called after the whole change has been emitted, so that its subscription sees all of the change.
          if (reports.length > 0 && !('more' in event)) report();
        },
      });
    });
}
