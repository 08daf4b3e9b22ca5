import { useMemo, useSyncExternalStore } from 'react';
import type { IndexSnapshot } from '../cache/snapshot/indexSnapshot.js';
import type { Collection } from '../informer/collection.js';
import { type CollectionState, collectionStore } from '../views/kernel/collectionStore.js';
import { expectCollection, expectKey } from '../views/kernel/checks.js';

/**
 * Shows a collection in a component of React, or the object under one key: `[data, loaded, error]`.
 *
 * `data` is undefined until the collection is complete for the first time, and for a key that it does not have. `loaded` is whether it is complete: then `data` of a whole collection is there, also by type. `error` is its last failure until
 * it is healthy again; the data stay. The component is rendered again only when one of them changes. The collection is kept up while a component shows it.
 *
 * @example
 * ```tsx
 * function Pods() {
 *   const [all, loaded, error] = useCollection(pods);
 *   if (!loaded) return <p>{error?.message ?? 'Loading'}</p>;
 *   return <ul>{[...all.keys()].map((key) => <li key={key}>{key}</li>)}</ul>;
 * }
 * ```
 *
 * @throws TypeError when an argument is wrong.
 */
export function useCollection<T>(collection: Collection<T>): CollectionState<IndexSnapshot<T>>;
export function useCollection<T>(collection: Collection<T>, key: string): CollectionState<T | undefined>;
export function useCollection<T>(collection: Collection<T>, key?: string): CollectionState<IndexSnapshot<T> | T | undefined> {
  expectCollection('useCollection', collection);
  expectKey('useCollection', key);
  const store = useMemo(() => collectionStore(collection, key), [collection, key]);
  return useSyncExternalStore<CollectionState<IndexSnapshot<T> | T | undefined>>(store.subscribe, store.getSnapshot, store.getSnapshot);
}
