import { filter, type OperatorFunction } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import { rules } from '../../api/options/rules.js';
import { type ChangeOrEvent, isChange } from '../changes/changeOrEvent.js';
import { expectArgument } from '../../api/options/optionRule.js';
import { mapEvents } from '../changes/mapEvents.js';

/** A change with events of some types only. */
export interface ChangeOfType<T, K extends ObjectEvent<T>['type']> extends ResourceChange<T> {
  readonly events: readonly Extract<ObjectEvent<T>, { readonly type: K }>[];
}

/** The types of the events of a change; the type of an event. */
export type EventTypeOf<V> =
  V extends ResourceChange<infer T> ? ObjectEvent<T>['type'] : V extends { readonly type: infer K extends string } ? K : never;

/** What `ofType` emits: changes with events of these types only, or events of these types. */
export type OfType<V, K> =
  V extends ResourceChange<infer T> ? ChangeOfType<T, Extract<K, ObjectEvent<T>['type']>> : V extends { readonly type: K } ? V : never;

/**
 * Emits only events of these types, and narrows their type.
 *
 * ```text
 * source              +a  +b  synced  ~a  -b           {+a +b}  {~a}  {-b}
 * ofType('deleted')                       -b           {}             {-b}
 * ```
 *
 * Do not fold the result: it lacks what the other types say. Of changes, empty ones are dropped, unless they are snapshots or lists. Of
 * events, `synced` passes only if it is named.
 *
 * @throws TypeError when a type is unknown.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, ofType, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(ofType('deleted')).subscribe(({ object }) => console.log('gone:', object.metadata?.name));
 * ```
 */
export function ofType<V extends ChangeOrEvent<unknown>, K extends EventTypeOf<V>>(
  ...types: readonly K[]
): OperatorFunction<V, OfType<V, K>> {
  for (const type of types) expectArgument('ofType', 'types', type, rules.oneOf('added', 'updated', 'deleted', 'synced'));
  const wanted: ReadonlySet<string> = new Set(types);
  return (source) =>
    source.pipe(
      filter((value) => isChange(value) || wanted.has(value.type)),
      mapEvents(() => (event) => (wanted.has(event.type) ? event : undefined)),
    ) as ReturnType<OperatorFunction<V, OfType<V, K>>>;
}
