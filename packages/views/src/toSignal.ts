import type { Collection, IndexSnapshot } from 'rx-informer';
import { expectArgument, rules } from 'rx-informer/internal';
import { expectCollection } from './kernel/checks.js';
import { collectionStore, type CollectionStore, objectStore } from './kernel/collectionStore.js';

/**
 * The current value of a collection, or of one of its keys, with a subscription to changes: a signal in the form that most frameworks use.
 */
export interface CollectionSignal<D> {
  /** The current value; undefined before the collection is complete. Without subscribers, the last value. */
  (): D | undefined;
  readonly value: D | undefined;
  /** The current value, for signals that are read by a method. */
  get(): D | undefined;
  /** The current value, untracked. */
  peek(): D | undefined;
  /** Calls `run` with the current value, and with each later one, until the returned function is called. Until then the collection keeps running. */
  subscribe(run: (value: D | undefined) => void): () => void;
}

/**
 * Makes a signal of a collection, or of the object with one key: its current value, and calls for changes.
 *
 * ```text
 * pods      {+a}     {+b}       {~a}
 * all       {a}      {a b}      {a' b}
 * a         a                   a'
 * ```
 *
 * It needs no library, and works with any: use `subscribe` to set a signal of Preact, Angular or the TC39 proposal; a Svelte store's subscription is
 * `subscribe` itself. The value is undefined before the collection is complete. For failures, see `health$` of the collection.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { toSignal } from '@rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const web = toSignal(pods, 'default/web-0');
 * const stop = web.subscribe((pod) => console.log(pod?.status?.phase ?? 'no pod'));
 * ```
 *
 * @throws TypeError when an argument is wrong.
 */
export function toSignal<T>(collection: Collection<T>): CollectionSignal<IndexSnapshot<T>>;
export function toSignal<T>(collection: Collection<T>, key: string): CollectionSignal<T>;
export function toSignal<T>(collection: Collection<T>, key?: string): CollectionSignal<IndexSnapshot<T> | T> {
  expectCollection('toSignal', collection);
  if (key !== undefined) expectArgument('toSignal', 'key', key, rules.nonEmptyString);
  const store: CollectionStore<T, IndexSnapshot<T> | T> = key === undefined ? collectionStore(collection) : objectStore(collection, key);
  const get = (): IndexSnapshot<T> | T | undefined => store.getSnapshot()[0];
  const subscribe = (run: (value: IndexSnapshot<T> | T | undefined) => void): (() => void) => {
    let isSubscribed = false;
    let emitted: { readonly value: IndexSnapshot<T> | T | undefined } | undefined;
    const notify = (): void => {
      const value = get();
      if (!isSubscribed || (emitted !== undefined && emitted.value === value)) return;
      emitted = { value };
      run(value);
    };
    const unsubscribe = store.subscribe(notify);
    // The first call is made from here, so that what it throws reaches the caller.
    isSubscribed = true;
    try {
      notify();
    } catch (error) {
      unsubscribe();
      throw error;
    }
    return unsubscribe;
  };
  const signal = Object.assign(() => get(), { get, peek: get, subscribe });
  return Object.defineProperty(signal, 'value', { get }) as CollectionSignal<IndexSnapshot<T> | T>;
}
