import { Observable, type OperatorFunction } from 'rxjs';
import { compareResourceVersions, type Identity, isRecreated, isSameVersion, objectIdentity } from '../../api/kubernetesObject.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ObjectEvent, ResourceChange, SourceEvent } from '../../api/events.js';
import { follow } from '../../rx/trampoline.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { expectStore, type StagedContent, type Store, type StoreOf } from '../../cache/store/store.js';
import { deletionsFirst } from '../buffers/pendingEvents.js';
import { CacheWriter, cacheWriterRules, createIdentityMemory, failed, missedDeletion, type ObjectIntakeOptions } from './cacheWriter.js';
import { type IncomingList, Intake, type Scope, type SourceChange } from './intake.js';

/** Options of `scanToIndex`. */
export interface ScanToIndexOptions<T, U = T> extends ObjectIntakeOptions<T, U> {
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
  /** Receives the keys whose transform fails. */
  readonly degraded?: Set<string> | undefined;
}

/** The rules of the options of `scanToIndex`. */
const scanToIndexRules: OptionRules<ScanToIndexOptions<never>> = {
  ...cacheWriterRules,
  known: rules.boolean,
  keyFunc: rules.function,
  onError: rules.function,
  scopes: rules.iterable,
};

type Change<U> = ResourceChange<U> | undefined;

const fromWatch = { initial: false, inferred: false, isNews: false, isCurrent: true };
const newsFromWatch = { ...fromWatch, isNews: true };
const nothing: readonly never[] = [];

/** Stages an object in the store while its list is still arriving, so that the work for a large list is not all done at its end. */
function stageValue<U>(incoming: IncomingList<U>, key: string, value: U): void {
  try {
    // mutation chain: equivalent: the TypeError is caught, and `staged` is already undefined
    incoming.staged?.put(value, key);
  } catch {
    // The store will refuse the whole list for the same reason, and the error is reported then.
    incoming.staged = undefined;
  }
}

/** Folds source events into a store. */
// mutation list, statement, text: equivalent but for time and memory: staged content is used only if it has all objects of the list
class StoreIntake<T, U> extends Intake<T, U, ResourceChange<U>> {
  private readonly store: Store<U>;
  readonly writer: CacheWriter<T, U>;
  private readonly isOver: () => boolean;
  private readonly transformed: boolean;
  private readonly inheritedVersion: string;
  private readonly known: boolean;
  /** Whether some scope has not been listed yet. */
  private initial: boolean;

  constructor(store: Store<U>, options: ScanToIndexOptions<T, U>, onError: (error: InformerError) => void, isOver: () => boolean) {
    super(options.scopes, store.listKeys());
    this.store = store;
    this.writer = new CacheWriter(store, options, onError, isOver);
    this.isOver = isOver;
    this.transformed = options.transform !== undefined;
    this.inheritedVersion = store.lastStoreSyncResourceVersion();
    // mutation fallback: equivalent: undefined is as falsy as false
    this.known = options.known ?? false;
    this.initial = !this.known;
  }

  protected override keyOf(object: T, givenKey?: string): string | undefined {
    return this.writer.objects.keyOf(object, givenKey);
  }

  protected override presentKeys(): readonly string[] {
    // An object that could not be transformed is present, though not in the store.
    // mutation condition: equivalent but for time
    return this.writer.degraded.size === 0 ? this.store.listKeys() : [...new Set([...this.store.listKeys(), ...this.writer.degraded])];
  }

  protected override stage(): Pick<IncomingList<U>, 'identities' | 'staged'> {
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
    const isUndelivered = this.isUndelivered(key);
    const events = this.move(scope, key, event) ? nothing : this.applyChange(key, event, isUndelivered);
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
    isUndelivered: boolean,
  ): readonly ObjectEvent<U>[] {
    if (type !== 'deleted') return this.writer.upsert(key, object, resourceVersion, isUndelivered ? newsFromWatch : fromWatch);
    return reason === undefined ? this.writer.remove(key, object, resourceVersion) : this.writer.remove(key, undefined, undefined, reason);
  }

  protected override collect(incoming: IncomingList<U>, key: string, object: T): void {
    const identity = objectIdentity(object);
    const before = this.store.getByKey(key);
    // mutation logic: equivalent but for time
    if (before !== undefined && this.transformed && isSameVersion(this.writer.identities.recall(key, before), identity)) {
      // Use the cached value, unless the list turns out to be older than the cache.
      incoming.untransformed.set(key, object);
      this.hold(incoming, key, before, identity);
      return;
    }
    incoming.untransformed.delete(key);
    this.hold(incoming, key, this.writer.objects.valueOf(key, object, before), identity);
  }

  private hold(incoming: IncomingList<U>, key: string, value: U | typeof failed, identity: Identity): void {
    if (value === failed) {
      incoming.failing.add(key);
      if (!incoming.values.has(key)) incoming.values.set(key, failed);
    } else {
      incoming.failing.delete(key);
      incoming.values.set(key, value);
      incoming.identities.remember(key, value, identity);
      stageValue(incoming, key, value);
    }
  }

  protected override drop(incoming: IncomingList<U>, key: string): void {
    incoming.values.delete(key);
    incoming.failing.delete(key);
    incoming.untransformed.delete(key);
    incoming.identities.forget(key);
    incoming.staged?.remove(key);
  }

  /** Makes a completed list the content of its scope, in one step. A list that the store refuses is kept, to be retried. */
  // mutation condition, fallback, logic, text: equivalent but for time
  protected override publish(scope: Scope<U>, incoming: IncomingList<U>, listVersion: string): Change<U> {
    const { store } = this;
    const resourceVersion = listVersion || store.lastStoreSyncResourceVersion();
    const previousResourceVersion = incoming.previousResourceVersion || scope.resourceVersion;
    // mutation logic: equivalent with all sources of this package: a list begins with the version that its scope has reached
    const seen = scope.resourceVersion || previousResourceVersion || this.inheritedVersion;
    // Versions that are not numbers cannot be compared.
    const isComparable = seen !== '' && listVersion !== '' && seen !== listVersion;
    // mutation comparison: equivalent: `isComparable` excludes equal versions
    incoming.mayBeOlder ||= isComparable && (compareResourceVersions(listVersion, seen) ?? -1) < 0;
    if (incoming.mayBeOlder) this.transformAll(incoming);
    const { size, kept, vanished, events } = this.differenceOf(scope, incoming);
    const staged = this.staged(incoming, size, kept);
    if (this.isOver()) return undefined;
    if (!this.writer.replace(staged ?? this.contentWith(incoming, kept, vanished), resourceVersion, vanished)) {
      incoming.staged = undefined;
      scope.incoming = undefined;
      scope.refused = incoming;
      return undefined;
    }
    for (const key of vanished) {
      this.inherited.delete(key);
      this.writer.forget(key);
    }
    if (staged?.whole === true && staged.verbatim) this.takeOver(incoming, kept);
    else this.confirm(incoming);
    this.settle(scope, incoming, listVersion);
    const synced = this.allReady();
    if (synced) this.initial = false;
    return { cause: 'list', events, scope: scope.name, resourceVersion, previousResourceVersion, synced };
  }

  /**
   * What a complete list changes: the number of objects in its scope; the cached values kept instead of the listed ones (same version, or the transform
   * failed); the keys that are gone; the events, deletions first.
   */
  // mutation condition: equivalent: an object whose transform failed has no identity, and cannot count as re-created
  private differenceOf(scope: Scope<U>, incoming: IncomingList<U>) {
    const { store, initial } = this;
    const { identities } = this.writer;
    const inferred = scope.ready || !initial;
    const kept = new Map<string, U>();
    const deleted: ObjectEvent<U>[] = [];
    const upserted: ObjectEvent<U>[] = [];
    let { size } = incoming.values;
    let matches = 0;

    for (const [key, listed] of incoming.values) {
      const before = store.getByKey(key);
      if (before === undefined) {
        if (listed === failed) {
          // mutation arithmetic, statement: equivalent but for time: the size decides whether the staged content is used
          size -= 1;
        } else upserted.push({ type: 'added', key, object: listed, initial, inferred });
        continue;
      }
      // mutation arithmetic, statement: equivalent but for time: the count shows that nothing has vanished
      matches += 1;
      const known = identities.recall(key, before);
      const identity = listed === failed ? known : incoming.identities.recall(key, listed);
      const object = listed === failed || (!incoming.mayBeOlder && isSameVersion(known, identity)) ? before : listed;
      if (object !== listed) kept.set(key, object);
      if (isRecreated(known, identity)) {
        deleted.push(missedDeletion(key, before));
        upserted.push({ type: 'added', key, object, initial, inferred });
      } else if (object !== before || this.isUndelivered(key)) {
        upserted.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred: true });
      }
    }
    const vanished = new Set(this.vanished(scope, incoming, matches));
    for (const key of vanished) {
      const object = store.getByKey(key);
      if (object !== undefined) deleted.push(missedDeletion(key, object));
    }
    // mutation condition: equivalent but for time
    return { size, kept, vanished, events: deleted.length === 0 ? upserted : deleted.concat(upserted) };
  }

  /** Transforms objects whose version is already cached: after a restore from a backup, one version may have two contents. */
  private transformAll(incoming: IncomingList<U>): void {
    for (const [key, object] of incoming.untransformed) {
      const identity = objectIdentity(object);
      this.hold(incoming, key, this.writer.objects.valueOf(key, object as T, this.store.getByKey(key)), identity);
    }
    incoming.untransformed.clear();
  }

  /** The content staged while the list arrived, if it equals the new content of the store. */
  // mutation block, condition, logic: equivalent but for time
  private staged(incoming: IncomingList<U>, size: number, kept: ReadonlyMap<string, U>): StagedContent<U> | undefined {
    for (const [key, value] of kept) stageValue(incoming, key, value);
    const { staged } = incoming;
    const isFit = staged?.whole === false || this.isAlone();
    // mutation comparison: equivalent but for time: otherwise the objects are put into the store one by one
    return isFit && staged?.objects.size === size ? staged : undefined;
  }

  /** The whole new content of the store, including that of the other scopes. */
  private contentWith(incoming: IncomingList<U>, kept: ReadonlyMap<string, U>, vanished: ReadonlySet<string>): Map<string, U> {
    const values = new Map<string, U>();
    for (const [key, listed] of incoming.values) {
      const value = kept.get(key) ?? listed;
      if (value !== failed) values.set(key, value);
    }
    // mutation condition: equivalent but for time
    for (const key of this.isAlone() ? [] : this.store.listKeys()) {
      const object = incoming.values.has(key) || vanished.has(key) ? undefined : this.store.getByKey(key);
      if (object !== undefined) values.set(key, object);
    }
    return values;
  }

  /** Updates the bookkeeping after the staged content has become the whole content of the store. */
  private takeOver(incoming: IncomingList<U>, kept: ReadonlyMap<string, U>): void {
    this.inherited.clear();
    this.writer.degraded.clear();
    for (const key of incoming.failing) this.writer.degraded.add(key);
    for (const [key, value] of kept) incoming.identities.remember(key, value, this.writer.identities.recall(key, value));
    this.writer.identities = incoming.identities;
  }

  private confirm(incoming: IncomingList<U>): void {
    // Without a transform, and once every inherited key is confirmed, there is nothing to record.
    // mutation condition: equivalent but for time
    if (!this.transformed && this.inherited.size === 0) return;
    const { degraded, identities } = this.writer;
    for (const [key, listed] of incoming.values) {
      this.inherited.delete(key);
      if (incoming.failing.has(key)) degraded.add(key);
      else degraded.delete(key);
      const stored = this.store.getByKey(key);
      if (listed !== failed && stored !== undefined) identities.remember(key, stored, incoming.identities.recall(key, listed));
    }
  }

  /** Whether subscribers have not received the stored value yet. */
  private isUndelivered(key: string): boolean {
    return !this.known && this.inherited.has(key);
  }
}

/** Joins the events of one change; returns undefined until the last event of the change. */
function wholeChanges<T, U>(
  accept: (event: SourceEvent<T>) => ResourceChange<U> | undefined,
  begin: () => void,
): (event: SourceEvent<T>) => ResourceChange<U> | undefined {
  let begun: ResourceChange<U> | undefined;
  let events: ObjectEvent<U>[] = [];
  let isBegun = false;
  return (event) => {
    if (!isBegun) begin();
    isBegun = 'more' in event;
    const change = accept(event);
    const continues = 'more' in event;
    // mutation condition: equivalent but for time
    if (!continues && begun === undefined) return change;
    if (change !== undefined) {
      const { previousResourceVersion = '' } = begun ?? change;
      begun = { ...change, previousResourceVersion };
      events.push(...change.events);
    }
    if (continues || begun === undefined) return undefined;
    const whole = { ...begun, events: deletionsFirst(events) };
    begun = undefined;
    events = [];
    return whole;
  };
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
 *   `onError` after the change they belong to, and concern that object alone. An error of the source passes through.
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
  checkOptions<ScanToIndexOptions<T, U>>('scanToIndex', options, scanToIndexRules);
  return (source) =>
    new Observable((subscriber) => {
      const reports: InformerError[] = [];
      const intake = new StoreIntake(
        store,
        options,
        (error) => reports.push(error),
        () => subscriber.closed,
      );
      const { writer } = intake;
      const accept = wholeChanges<T, U>(
        (event) => intake.accept(event),
        () => writer.begin(),
      );
      follow(source, subscriber, {
        // mutation chain: the error is thrown outside of any test, where only Jest reports it
        next: (event) => {
          const change = accept(event);
          if (subscriber.closed) writer.undo();
          if (change !== undefined) subscriber.next(change);
          // `onError` may subscribe. It is called after the whole change has been emitted, so that its subscription sees all of the change.
          // mutation comparison: equivalent but for time
          if (reports.length > 0 && !('more' in event)) for (const error of reports.splice(0)) options.onError?.(error);
        },
      });
    });
}
