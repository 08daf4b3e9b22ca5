import { concat, defer, endWith, filter, isObservable, map, merge, mergeMap, NEVER, takeWhile } from 'rxjs';
import type { MonoTypeOperatorFunction, Observable, OperatorFunction } from 'rxjs';
import type { ObjectEvent, ResourceChange, SyncedEvent } from '../../api/events.js';
import { describeValue, expectArgument, rules } from '../../api/options.js';
import { createCrossingFilter } from '../../delta/share/crossingFilter.js';
import {
  type ChangeOrEvent,
  changeWith,
  type EventMapper,
  eventsOf,
  isChange,
  mapChange,
  mapEvent,
  mapEvents,
  type ObjectOf,
} from '../changes/changeOrEvent.js';
import { deletionsFirst } from '../../delta/buffers/pendingEvents.js';
import { trampoline } from '../../rx/trampoline.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { parseLabelSelector, type Selection } from '../../api/selectors.js';

type Passes = (object: unknown) => boolean;
type Value = ChangeOrEvent<unknown>;

/** The objects of the source, filtered by the newest predicate. */
class Refilter {
  private readonly objects = new Map<string, unknown>();
  private passes: Passes | undefined;
  private synced: SyncedEvent | undefined;
  /** Whether the source was synced after its last change; undefined if it emits events instead of changes. */
  private isWhole: boolean | undefined;
  private readonly cross = createCrossingFilter<unknown>((object) => this.passes?.(object) ?? false);

  /** Filters a value of the source. */
  take(value: Value): readonly (Value | undefined)[] {
    for (const event of eventsOf(value)) {
      if (event.type === 'deleted') this.objects.delete(event.key);
      else this.objects.set(event.key, event.object);
    }
    if (isChange(value)) this.isWhole = value.synced;
    else if (value.type === 'synced') this.synced = value;
    if (this.passes === undefined) return [];
    const cross = this.cross as EventMapper<unknown>;
    if (isChange(value)) return [mapChange('filterObjects', value, cross)];
    return [value.type === 'synced' ? value : mapEvent('filterObjects', value, cross)];
  }

  /** Applies another predicate to all objects. */
  change(passes: Passes): readonly (Value | undefined)[] {
    expectArgument('filterObjects', 'predicate', passes, rules.function);
    const isFirst = this.passes === undefined;
    this.passes = passes;
    const crossing: ObjectEvent<unknown>[] = [];
    for (const [key, object] of this.objects) {
      const crossed = this.cross({ type: 'updated', key, object, oldObject: object, resync: false, inferred: true });
      if (crossed?.type === 'deleted') crossing.push(crossed);
      if (crossed?.type === 'added') crossing.push(isFirst ? { ...crossed, initial: true, inferred: false } : crossed);
    }
    const events = deletionsFirst(crossing);
    if (this.isWhole === undefined) return [...events, this.synced];
    return [changeWith({ cause: isFirst ? 'snapshot' : 'view', events, synced: this.isWhole }, events)];
  }
}

/** Filters by the newest predicate. A new predicate gets a turn of its own, even if a subscriber emits it during a change. */
function refilterObjects<V extends Value>(predicates: Observable<Passes>): MonoTypeOperatorFunction<V> {
  return (source) =>
    defer(() => {
      const state = new Refilter();
      const changes$ = concat(predicates, NEVER).pipe(map((passes) => () => state.change(passes)));
      const values$ = source.pipe(
        map((value) => () => state.take(value)),
        endWith(undefined),
      );
      return merge(changes$, values$).pipe(
        trampoline(),
        takeWhile((step) => step !== undefined),
        mergeMap((step) => step()),
        filter((value) => value !== undefined),
      ) as typeof source;
    });
}

/** Lets the objects through that pass. */
function passing<V extends Value>(operator: string, predicate: ObjectPredicate<never>): MonoTypeOperatorFunction<V> {
  return mapEvents(operator, () => createCrossingFilter(predicate as ObjectPredicate<unknown>) as EventMapper<unknown>);
}

/** A predicate of one object. */
export type ObjectPredicate<T> = (object: T) => boolean;

/**
 * Emits only the objects that pass, as if there were no others: an object that begins to pass is `added`, one that ceases to pass is `deleted`.
 *
 * ```text
 * source                        {+a(on) +b(off)}  {~b(on)}  {~a(off)}  {-a}  {-b}
 * filterObjects(o => o.on)      {+a}              {+b}      {-a}             {-b}
 * ```
 *
 * - It takes changes or events, and emits the same. A change without remaining events is dropped, unless it is a snapshot or a list.
 * - A `deleted` that follows from an update carries the last object that passed.
 * - With an Observable of predicates, nothing is emitted before the first one, which emits a snapshot. Each later one is a change of its own, with
 *   the cause `'view'`; for events, it emits the differences with `inferred: true`, then `synced`. Completion of the predicates has no effect.
 * - The result fails when a predicate throws or the Observable of predicates fails.
 *
 * @throws TypeError when `predicate` is neither a function nor an Observable.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources, toObjects } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const pending = pods.change$.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'), toObjects());
 * pending.subscribe((list) => console.log(list.length, 'pods are pending'));
 * ```
 *
 * @see client-go: `FilteringResourceEventHandler`
 */
export function filterObjects<T = unknown, V extends ChangeOrEvent<T> = ResourceChange<T>>(
  predicate: ObjectPredicate<T & ObjectOf<V>> | Observable<ObjectPredicate<T & ObjectOf<V>>>,
): MonoTypeOperatorFunction<V> {
  if (isObservable(predicate)) return refilterObjects(predicate as Observable<ObjectPredicate<unknown>>);
  expectArgument('filterObjects', 'predicate', predicate, rules.either(rules.function, rules.observable));
  return passing('filterObjects', predicate as ObjectPredicate<never>);
}

/**
 * Emits only the objects that a label selector matches; when labels change, the object is added or deleted accordingly. It takes changes or events, by the rules
 * of `filterObjects`.
 *
 * ```text
 * source                   {+a(web) +b(db)}  {~b(web)}  {~a(db)}  {-a}  {-b}
 * withLabels('app=web')    {+a}              {+b}       {-a}            {-b}
 * ```
 *
 * @throws TypeError when the selector cannot be parsed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, withLabels } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(withLabels('app=web,tier!=cache')).subscribe((event) => console.log(event.type));
 * ```
 */
export function withLabels<V extends ChangeOrEvent<KubernetesObject> = ResourceChange<KubernetesObject>>(
  selector: Selection,
): MonoTypeOperatorFunction<V> {
  const parsed = parseLabelSelector(selector);
  return passing('withLabels', ({ metadata }: KubernetesObject) => parsed.matches(metadata?.labels));
}

/**
 * Emits only the objects of one owner, by its uid. It takes changes or events, by the rules of `filterObjects`.
 *
 * ```text
 * source            {+a(web) +b(db)}  {~b(web)}  {~a()}  {-a}  {-b}
 * ownedBy(web)      {+a}              {+b}       {-a}          {-b}
 * ```
 *
 * @throws TypeError when the owner has no uid: it must come from the server.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, ownedBy, resources } from 'rx-informer';
 *
 * const client = createClient();
 * const deployment = await client.get(resources.apps.v1.deployments, 'web', { namespace: 'default' });
 * const replicaSets = createInformer(client, resources.apps.v1.replicasets);
 * replicaSets.resource$.pipe(ownedBy(deployment)).subscribe((event) => console.log(event.type));
 * ```
 */
export function ownedBy<V extends ChangeOrEvent<KubernetesObject> = ResourceChange<KubernetesObject>>(
  owner: KubernetesObject,
): MonoTypeOperatorFunction<V> {
  const metadata = (owner as KubernetesObject | undefined)?.metadata;
  const uid = metadata?.uid;
  if (uid === undefined)
    throw new TypeError(
      `Expected \`owner\` to have a \`metadata.uid\`, got ${metadata?.name === undefined ? describeValue(owner) : JSON.stringify(metadata.name)} without one`,
    );
  return passing(
    'ownedBy',
    (object: KubernetesObject) => object.metadata?.ownerReferences?.some((reference) => reference.uid === uid) ?? false,
  );
}

/**
 * Emits only the objects of these namespaces. It takes changes or events, by the rules of `filterObjects`.
 *
 * ```text
 * source                  {+shop/a +test/b}  {~test/b}  {~shop/a}  {-test/b}  {-shop/a}
 * inNamespaces('shop')    {+shop/a}                     {~shop/a}             {-shop/a}
 * ```
 *
 * Without arguments, it emits no namespaced object. For changing namespaces, pass an Observable to `filterObjects`.
 *
 * @throws TypeError when a namespace is no string.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, inNamespaces, resources, toMap } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.change$.pipe(inNamespaces('shop', 'billing'), toMap()).subscribe((byKey) => console.log(byKey.size));
 * ```
 */
export function inNamespaces<V extends ChangeOrEvent<KubernetesObject> = ResourceChange<KubernetesObject>>(
  ...namespaces: readonly string[]
): MonoTypeOperatorFunction<V> {
  for (const namespace of namespaces) expectArgument('inNamespaces', 'namespaces', namespace, rules.string);
  const wanted = new Set(namespaces);
  return passing('inNamespaces', ({ metadata }: KubernetesObject) => wanted.has(metadata?.namespace ?? ''));
}

/** A change with events of some types only. */
type ChangeOfType<T, K extends ObjectEvent<T>['type']> = Omit<ResourceChange<T>, 'events'> & {
  readonly events: readonly Extract<ObjectEvent<T>, { readonly type: K }>[];
};

/** The types of the events of a change; the type of an event. */
export type EventTypeOf<V> =
  V extends ResourceChange<infer T> ? ObjectEvent<T>['type'] : V extends { readonly type: infer K extends string } ? K : never;

/** The output of `ofType`: changes with events of these types only, or events of these types. */
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
 * Do not fold the result: events of other types are missing. Empty changes are dropped, unless they are snapshots or lists. Of single
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
      filter((value) => isChange(value) || value.type !== 'synced' || wanted.has('synced')),
      mapEvents('ofType', () => (event) => (wanted.has(event.type) ? event : undefined)),
    ) as ReturnType<OperatorFunction<V, OfType<V, K>>>;
}
