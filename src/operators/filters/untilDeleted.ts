import { takeWhile, type MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * Completes with the deletion of the object under that key, which is the last notification.
 *
 * ```text
 * source               +a  +b  synced  -b  ~a  -a  +a
 * untilDeleted('a')    +a  +b  synced  -b  ~a  -a|
 * ```
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, untilDeleted } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(untilDeleted('default/web-0')).subscribe({ complete: () => console.log('web-0 is gone') });
 * ```
 */
export function untilDeleted<T>(key: string): MonoTypeOperatorFunction<ResourceEvent<T>> {
  return takeWhile((event) => event.type !== 'deleted' || event.key !== key, true);
}
