import { isObservable, type Observable, Observable as RxObservable, type SchedulerLike, type Subscriber } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { rules } from '../../api/options/rules.js';
import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';
import type { Indexers } from '../../cache/store/indexer.js';
import { isOtherObject } from '../../delta/index/identity.js';
import type { Collection, collectionPort } from '../../informer/collection.js';
import { Trampoline } from '../../rx/trampoline.js';
import { ViewBase } from '../../views/kernel/viewBase.js';

/** Options of `fakeCollection`. */
export interface FakeCollectionOptions<T> {
  /** What it is called in messages. Default `fake`. */
  readonly name?: string | undefined;
  /** The key of an object. Default: that of its metadata. */
  readonly key?: ((object: T) => string) | undefined;
  /** Index functions by name. */
  readonly indexers?: Indexers<T> | undefined;
  /** Whether the content of an array is complete from the start. Default `true`; otherwise `replace` completes it. */
  readonly synced?: boolean | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/** A collection without a server: what views and operators take, with a content that a test sets. */
export interface FakeCollection<T> extends Collection<T> {
  /** Adds or updates objects, in one change. */
  put(...objects: readonly T[]): void;
  /** Deletes the objects under some keys, in one change. */
  remove(...keys: readonly string[]): void;
  /** Makes the content exactly these objects, as a list does. */
  replace(objects: readonly T[]): void;
  /** The number of its subscribers: at most 1, as it is shared. */
  subscriptions(): number;
}

class Fake<T> extends ViewBase<T> implements Omit<FakeCollection<T>, typeof collectionPort> {
  private readonly keyOf: (object: T) => string;
  /** What has been set and is not in the store yet: objects by their keys, undefined for those that are to go. */
  private readonly pending = new Map<string, T | undefined>();
  private readonly contents$: Observable<readonly T[]> | undefined;
  private complete: boolean;
  private readonly subscribers = new Set<Subscriber<ResourceChange<T>>>();

  constructor(source: Iterable<T> | Observable<readonly T[]>, options: FakeCollectionOptions<T>) {
    const { name = 'fake', key = metaNamespaceKey as unknown as (object: T) => string, indexers, synced = true, scheduler } = options;
    super({ name, indexers, scheduler }, new Trampoline());
    this.keyOf = key;
    this.contents$ = isObservable(source) ? source : undefined;
    this.complete = this.contents$ === undefined && synced;
    if (!isObservable(source)) this.set([...source]);
  }

  put(...objects: readonly T[]): void {
    this.change('watch', () => this.set(objects));
  }

  remove(...keys: readonly string[]): void {
    this.change('watch', () => {
      for (const key of keys) this.pending.set(key, undefined);
    });
  }

  replace(objects: readonly T[]): void {
    this.change('list', () => {
      this.pending.clear();
      this.set(objects);
      for (const key of this.store.listKeys()) if (!this.pending.has(key)) this.pending.set(key, undefined);
      this.complete = true;
    });
  }

  subscriptions(): number {
    return this.subscribers.size;
  }

  protected session(): Observable<ResourceChange<T>> {
    return new RxObservable((subscriber) => {
      this.subscribers.add(subscriber);
      this.status.begin();
      subscriber.add(() => {
        this.subscribers.delete(subscriber);
        this.status.end('idle');
      });
      this.turns.enter(() => {
        if (this.complete) this.emit('list');
      });
      if (this.contents$ === undefined || subscriber.closed) return;
      subscriber.add(
        this.contents$.subscribe({
          next: (objects) => this.replace(objects),
          error: (error: unknown) => subscriber.error(error),
          complete: () => this.turns.run(() => subscriber.complete()),
        }),
      );
    });
  }

  private set(objects: readonly T[]): void {
    const keys = objects.map((object) => this.keyOf(object));
    keys.forEach((key, at) => this.pending.set(key, objects[at]));
  }

  private change(cause: 'list' | 'watch', action: () => void): void {
    this.turns.run(() => {
      action();
      if (this.complete && this.subscribers.size > 0) this.emit(cause);
    });
  }

  private emit(cause: 'list' | 'watch'): void {
    const deleted: ObjectEvent<T>[] = [];
    const others: ObjectEvent<T>[] = [];
    const initial = !this.hasSynced();
    for (const [key, object] of this.pending) {
      const before = this.store.getByKey(key);
      if (before === object) continue;
      if (object === undefined) this.writes.delete(key);
      else this.writes.update(key, object);
      const isOther = before !== undefined && (object === undefined || isOtherObject(before, object));
      if (isOther) deleted.push({ type: 'deleted', key, object: before, finalStateUnknown: false, inferred: cause === 'list' });
      if (object === undefined) continue;
      if (before === undefined || isOther) others.push({ type: 'added', key, object, initial, inferred: cause === 'list' && !initial });
      else others.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred: cause === 'list' });
    }
    this.pending.clear();
    const events = deleted.length === 0 ? others : [...deleted, ...others];
    if (events.length === 0 && cause === 'watch') return;
    if (initial) this.setSynced(true);
    for (const subscriber of this.subscribers) subscriber.next({ cause, events, synced: true });
  }
}

/**
 * Makes a collection from an array, or from a stream of its whole contents, for example marbles: something for views and operators to work on in tests.
 *
 * It behaves as an informer does: nothing before the content is complete, one change for each call, `replace` as a list, and the same turns.
 *
 * @example
 * ```ts
 * import { derive } from 'rx-informer/views';
 * import { fakeCollection, pod } from 'rx-informer/testing';
 *
 * const pods = fakeCollection([pod('a'), pod('b')], { name: 'pods' });
 * const names = derive(pods, ({ metadata }) => metadata?.name);
 * names.change$.subscribe(({ events }) => console.log(events.length));
 * pods.put(pod('c'));
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function fakeCollection<T>(
  source: Iterable<T> | Observable<readonly T[]>,
  options: FakeCollectionOptions<T> = {},
): FakeCollection<T> {
  checkOptions('fakeCollection', options, {
    name: rules.nonEmptyString,
    key: rules.function,
    indexers: rules.object,
    synced: rules.boolean,
    scheduler: rules.scheduler,
  });
  return new Fake(source, options) as unknown as FakeCollection<T>;
}
