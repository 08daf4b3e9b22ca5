import { useMemo } from 'react';
import { checkOptions, expectArgument, nonEmptyString } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import { type CollectionState, objectStore } from '../kernel/collectionStore.js';
import { expectCollection } from '../kernel/checks.js';
import { type HookOptions, hookRules, useSelected } from './useSelected.js';

/**
 * The state of the object with one key of a collection in a React component: `[object, loaded, error, state]`, as with {@link useCollection}.
 *
 * `object` is undefined if it does not exist; with `loaded`, that is certain. Changes of other keys do not render the component; with `select`, neither do changes of
 * other fields.
 *
 * @example
 * ```tsx
 * import type { Collection, V1Pod } from 'rx-informer';
 * import { useObject } from '@rx-informer/views/react';
 *
 * function Phase({ pods, id }: { pods: Collection<V1Pod>; id: string }) {
 *   const [phase, loaded] = useObject(pods, id, { select: (pod) => pod.status?.phase });
 *   return <td>{loaded ? (phase ?? 'gone') : '...'}</td>;
 * }
 * ```
 *
 * @throws TypeError when an argument is wrong.
 */
export function useObject<T, S = T>(
  collection: Collection<T>,
  key: string,
  options: HookOptions<T, S> = {},
): CollectionState<S | undefined> {
  expectCollection('useObject', collection);
  expectArgument('useObject', 'key', key, nonEmptyString);
  checkOptions<HookOptions<T, S>>('useObject', options, hookRules);
  const store = useMemo(() => objectStore(collection, key), [collection, key]);
  return useSelected(collection, store, options);
}
