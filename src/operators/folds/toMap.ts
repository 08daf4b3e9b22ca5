import type { OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { foldEvents } from './foldEvents.js';

/**
 * The objects by key: a new map after the first `synced` and after every later change.
 *
 * ```text
 * source     +a  +b  synced  ~a      -b
 * toMap()            {a b}   {a' b}  {a'}
 * ```
 *
 * A relist shows as one change. Each map is a copy of the keys, so a change costs as much as there are objects: for large collections with many
 * changes take `index$`, whose snapshots share what has not changed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, toMap } from 'rx-informer';
 *
 * const nodes = createInformer(createClient(), resources.core.v1.nodes);
 * nodes.resource$.pipe(toMap()).subscribe((byKey) => console.log(byKey.size));
 * ```
 */
export function toMap<T>(): OperatorFunction<ResourceEvent<T>, ReadonlyMap<string, T>> {
  return foldEvents((objects) => new Map(objects));
}
