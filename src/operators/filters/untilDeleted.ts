import { takeWhile, type MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { expectArgument, rules } from '../../api/options.js';
import { type ChangeOrEvent, eventsOf } from '../changes/changeOrEvent.js';

/**
 * Completes after the deletion of the object with that key: the change or event with the deletion is emitted last.
 *
 * ```text
 * source               {+a +b}  {-b}  {~a}  {-a}  {+a}
 * untilDeleted('a')    {+a +b}  {-b}  {~a}  {-a}|
 * ```
 *
 * Re-creation under the same name (another uid) counts as a deletion.
 *
 * @throws TypeError when `key` is no string.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, untilDeleted } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(untilDeleted('default/web-0')).subscribe({ complete: () => console.log('web-0 is gone') });
 * ```
 */
export function untilDeleted<V extends ChangeOrEvent<unknown> = ResourceChange<unknown>>(key: string): MonoTypeOperatorFunction<V> {
  expectArgument('untilDeleted', 'key', key, rules.nonEmptyString);
  return takeWhile((value) => !eventsOf(value).some((event) => event.type === 'deleted' && event.key === key), true);
}
