import { concatMap, type OperatorFunction } from 'rxjs';
import type { ResourceChange, ResourceEvent } from 'rx-informer';
import { expectArgument, rules } from 'rx-informer/internal';
import { type Trigger, type TriggerError, triggersOf } from './trigger.js';

/**
 * Turns the events or changes of one kind into triggers for the keys of another: a source of `reconcile`.
 *
 * ```text
 * events      --a-----b----|      a: uses x and y; b: used x, uses z now
 * mappedKeys  --(xy)--(zx)-|
 * ```
 *
 * Each notification is one key that needs work, or an object for which `keysOf` threw. An update triggers the keys of both the old and the new
 * object.
 *
 * @param keysOf - The keys (`namespace/name`, or `name`) that depend on the object.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { mappedKeys } from '@rx-informer/controller';
 *
 * const secrets = createInformer(createClient(), resources.core.v1.secrets);
 * const triggers = secrets.resource$.pipe(
 *   mappedKeys((secret) => {
 *     const site = secret.metadata?.labels?.['example.com/website'];
 *     return site === undefined ? [] : [`${secret.metadata?.namespace ?? ''}/${site}`];
 *   }),
 * );
 * ```
 */
export function mappedKeys<T>(
  keysOf: (object: T) => Iterable<string>,
): OperatorFunction<ResourceEvent<T> | ResourceChange<T>, Trigger | TriggerError> {
  expectArgument('mappedKeys', 'keysOf', keysOf, rules.function);
  return concatMap((value: ResourceEvent<T> | ResourceChange<T>) =>
    'events' in value ? value.events.flatMap((event) => triggersOf(event, keysOf)) : triggersOf(value, keysOf),
  );
}
