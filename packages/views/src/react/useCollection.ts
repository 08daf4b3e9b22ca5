import { useMemo } from 'react';
import { checkOptions } from 'rx-informer/internal';
import type { Collection, IndexSnapshot } from 'rx-informer';
import { type CollectionState, collectionStore } from '../kernel/collectionStore.js';
import { expectCollection } from '../kernel/checks.js';
import { type HookOptions, hookRules, useSelected } from './useSelected.js';

/**
 * The state of a collection in a React component: `[data, loaded, error, state]`.
 *
 * With `loaded`, the data are complete, and typed as present. `error` is the last failure until the collection is healthy again; the data stay. `state` sums
 * this up: `loading`, `restored`, `live`, `stale`, `failing` or `forbidden`. The component is rendered again only when one of them changes; with `select`, only
 * when the selected value does. All components show the same snapshot, also of several views of one graph. The collection keeps running while a component uses it:
 * informers, views, and informers over a relay alike. For one object, use {@link useObject}.
 *
 * @example
 * ```tsx
 * import type { Collection, V1Pod } from 'rx-informer';
 * import { useCollection } from '@rx-informer/views/react';
 *
 * function Pods({ pods }: { pods: Collection<V1Pod> }) {
 *   const [names, loaded, error, state] = useCollection(pods, { select: (all) => [...all.keys()].sort() });
 *   if (state === 'forbidden') return <p>You may not read pods</p>;
 *   if (!loaded) return <p>{error?.message ?? 'Loading'}</p>;
 *   return <ul>{names.map((name) => <li key={name}>{name}</li>)}</ul>;
 * }
 * ```
 *
 * @throws TypeError when an argument is wrong.
 */
export function useCollection<T, S = IndexSnapshot<T>>(
  collection: Collection<T>,
  options: HookOptions<IndexSnapshot<T>, S> = {},
): CollectionState<S> {
  expectCollection('useCollection', collection);
  checkOptions<HookOptions<IndexSnapshot<T>, S>>('useCollection', options, hookRules);
  const store = useMemo(() => collectionStore(collection), [collection]);
  return useSelected(collection, store, options);
}
