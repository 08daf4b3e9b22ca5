import { concatMap, type OperatorFunction } from 'rxjs';

import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Trigger, TriggerError } from './trigger.js';
import { triggersOf } from './triggersOf.js';

/**
 * Turns the events of one kind into triggers for the keys of another: a source of `reconcile`.
 *
 * ```text
 * events   --a-----b----|      a: uses x and y; b: used x, uses z now
 * mapped   --(xy)--(zx)-|
 * ```
 *
 * Each notification is one key that needs work, or an object for which `keysOf` threw. An update triggers the keys of the new and of the old
 * object, so that whoever was left is told too.
 *
 * @param keysOf - The keys (`namespace/name`, or `name`) that depend on the object.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, mapped, resources } from 'rx-informer';
 *
 * const secrets = createInformer(createClient(), resources.core.v1.secrets);
 * const triggers = secrets.resource$.pipe(
 *   mapped((secret) => {
 *     const site = secret.metadata?.labels?.['example.com/website'];
 *     return site === undefined ? [] : [`${secret.metadata?.namespace ?? ''}/${site}`];
 *   }),
 * );
 * ```
 */
export function mapped<T>(keysOf: (object: T) => Iterable<string>): OperatorFunction<ResourceEvent<T>, Trigger | TriggerError> {
  return concatMap((event: ResourceEvent<T>) => triggersOf(event, keysOf));
}
