import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { expectArgument, rules } from '../../api/options.js';
import { isSameField } from '../../api/unreadFields.js';
import { type ChangeOrEvent, mapEvents, type ObjectOf } from '../changes/changeOrEvent.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { isEqualJson } from '../../api/isEqualJson.js';

/** A predicate of an update: of the object before and after it. */
export type UpdatePredicate<T> = (oldObject: T, object: T) => boolean;

/**
 * Makes a predicate that is true when the content of the selected part has changed.
 *
 * @example
 * ```ts
 * import { partChanged, type V1Pod } from 'rx-informer';
 *
 * const phaseChanged = partChanged((pod: V1Pod) => pod.status?.phase);
 * ```
 */
export function partChanged<T>(select: (object: T) => unknown): (oldObject: T, object: T) => boolean {
  expectArgument('partChanged', 'select', select, rules.function);
  return (oldObject, object) => !isEqualJson(select(oldObject), select(object));
}

/**
 * Whether the desired state has changed, by `metadata.generation`; by resourceVersion for a kind without generations.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterUpdates, generationChanged, resources } from 'rx-informer';
 *
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * deployments.change$.pipe(filterUpdates(generationChanged)).subscribe(({ events }) => console.log(events.length));
 * ```
 */
export const generationChanged: UpdatePredicate<KubernetesObject> = (oldObject, object) => {
  const before = oldObject.metadata?.generation;
  const after = object.metadata?.generation;
  if (before === undefined || after === undefined) return oldObject.metadata?.resourceVersion !== object.metadata?.resourceVersion;
  return before !== after;
};

/**
 * Whether the labels have changed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterUpdates, labelsChanged, resources } from 'rx-informer';
 *
 * const nodes = createInformer(createClient(), resources.core.v1.nodes);
 * nodes.change$.pipe(filterUpdates(labelsChanged)).subscribe(({ events }) => console.log(events.length));
 * ```
 */
export const labelsChanged: UpdatePredicate<KubernetesObject> = partChanged((object: KubernetesObject) => object.metadata?.labels);

/**
 * Whether the annotations have changed.
 *
 * @example
 * ```ts
 * import { annotationsChanged, createClient, createInformer, filterUpdates, resources } from 'rx-informer';
 *
 * const namespaces = createInformer(createClient(), resources.core.v1.namespaces);
 * namespaces.change$.pipe(filterUpdates(annotationsChanged)).subscribe(({ events }) => console.log(events.length));
 * ```
 */
export const annotationsChanged: UpdatePredicate<KubernetesObject> = partChanged(
  (object: KubernetesObject) => object.metadata?.annotations,
);

function fieldChanged(field: 'spec' | 'status'): UpdatePredicate<KubernetesObject> {
  const changed = partChanged((object: KubernetesObject & { readonly spec?: unknown; readonly status?: unknown }) => object[field]);
  return (oldObject, object) => !isSameField(oldObject, object, field) && changed(oldObject, object);
}

/**
 * Whether `spec` has changed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterUpdates, resources, specChanged } from 'rx-informer';
 *
 * const services = createInformer(createClient(), resources.core.v1.services);
 * services.change$.pipe(filterUpdates(specChanged)).subscribe(({ events }) => console.log(events.length));
 * ```
 */
export const specChanged: UpdatePredicate<KubernetesObject> = fieldChanged('spec');

/**
 * Whether `status` has changed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterUpdates, resources, statusChanged } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.change$.pipe(filterUpdates(statusChanged)).subscribe(({ events }) => console.log(events.length));
 * ```
 */
export const statusChanged: UpdatePredicate<KubernetesObject> = fieldChanged('status');

/**
 * Emits only those updates for which `predicate(oldObject, object)` is true; everything else always passes.
 *
 * ```text
 * source                        {+a}  {~a(labels)}  {~a(spec)}  {-a}
 * filterUpdates(specChanged)    {+a}                {~a}        {-a}
 * ```
 *
 * - It takes changes or events, and emits the same. A change without remaining events is dropped, unless it is a snapshot or a list.
 * - It is stateless: it compares the two versions in an update. So parts that the predicate ignores may be out of date
 *   downstream.
 * - A `resync` update passes if the predicate is true for two equal objects; the predicates of this package are not.
 * - The result fails when the predicate throws.
 *
 * @throws TypeError when `predicate` is no function.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterUpdates, generationChanged, resources } from 'rx-informer';
 *
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * deployments.resource$.pipe(filterUpdates(generationChanged)).subscribe((event) => console.log(event.type));
 * ```
 *
 * @see controller-runtime: `predicate.Predicate`
 */
export function filterUpdates<T = unknown, V extends ChangeOrEvent<T> = ResourceChange<T>>(
  predicate: UpdatePredicate<T & ObjectOf<V>>,
): MonoTypeOperatorFunction<V> {
  expectArgument('filterUpdates', 'predicate', predicate, rules.function);
  const passes = predicate as UpdatePredicate<unknown>;
  return mapEvents(
    'filterUpdates',
    () => (event) => (event.type !== 'updated' || passes(event.oldObject, event.object) ? event : undefined),
  );
}

const functions = rules.listOf(rules.function, 'functions');

/** A predicate of one object, or of the two versions of an update. */
type ObjectsPredicate<T> = (...objects: T[]) => boolean;

/**
 * A predicate that is true when all of these are, called in order.
 *
 * @example
 * ```ts
 * import { allOf, filterUpdates, labelsChanged, noneOf, statusChanged, type V1Node } from 'rx-informer';
 *
 * const onlyLabels = filterUpdates<V1Node>(allOf(labelsChanged, noneOf(statusChanged)));
 * ```
 */
export function allOf<T>(...predicates: readonly ObjectsPredicate<T>[]): (...objects: T[]) => boolean {
  expectArgument('allOf', 'predicates', predicates, functions);
  return (...objects) => predicates.every((predicate) => predicate(...objects));
}

/**
 * A predicate that is true when any of these is, called in order.
 *
 * @example
 * ```ts
 * import { annotationsChanged, anyOf, filterUpdates, generationChanged, type V1Deployment } from 'rx-informer';
 *
 * const wanted = filterUpdates<V1Deployment>(anyOf(generationChanged, annotationsChanged));
 * ```
 */
export function anyOf<T>(...predicates: readonly ObjectsPredicate<T>[]): (...objects: T[]) => boolean {
  expectArgument('anyOf', 'predicates', predicates, functions);
  return (...objects) => predicates.some((predicate) => predicate(...objects));
}

/**
 * A predicate that is true when none of these is, called in order.
 *
 * @example
 * ```ts
 * import { filterUpdates, noneOf, statusChanged, type V1Node } from 'rx-informer';
 *
 * const withoutHeartbeats = filterUpdates<V1Node>(noneOf(statusChanged));
 * ```
 */
export function noneOf<T>(...predicates: readonly ObjectsPredicate<T>[]): (...objects: T[]) => boolean {
  expectArgument('noneOf', 'predicates', predicates, functions);
  return (...objects) => !predicates.some((predicate) => predicate(...objects));
}
