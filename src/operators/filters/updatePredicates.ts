import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { isEqualJson } from '../folds/isEqualJson.js';

/** A predicate of an update: of the object before and after it. */
export type UpdatePredicate<T> = (oldObject: T, object: T) => boolean;

/**
 * Whether a selected part of the object has changed in content.
 *
 * @example
 * ```ts
 * import { partChanged, type V1Pod } from 'rx-informer';
 *
 * const phaseChanged = partChanged((pod: V1Pod) => pod.status?.phase);
 * ```
 */
export function partChanged<T>(select: (object: T) => unknown): UpdatePredicate<T> {
  return (oldObject, object) => !isEqualJson(select(oldObject), select(object));
}

/** Whether the wanted state has changed, going by `metadata.generation`; by resourceVersion for a kind that has no generation. */
export const generationChanged: UpdatePredicate<KubernetesObject> = (oldObject, object) => {
  const before = oldObject.metadata?.generation;
  const after = object.metadata?.generation;
  if (before === undefined || after === undefined) return oldObject.metadata?.resourceVersion !== object.metadata?.resourceVersion;
  return before !== after;
};

/** Whether the labels have changed. */
export const labelsChanged: UpdatePredicate<KubernetesObject> = partChanged((object: KubernetesObject) => object.metadata?.labels);

/** Whether the annotations have changed. */
export const annotationsChanged: UpdatePredicate<KubernetesObject> = partChanged(
  (object: KubernetesObject) => object.metadata?.annotations,
);

/** Whether `spec` has changed. */
export const specChanged: UpdatePredicate<KubernetesObject> = partChanged(
  (object: KubernetesObject & { readonly spec?: unknown }) => object.spec,
);

/** Whether `status` has changed. */
export const statusChanged: UpdatePredicate<KubernetesObject> = partChanged(
  (object: KubernetesObject & { readonly status?: unknown }) => object.status,
);
