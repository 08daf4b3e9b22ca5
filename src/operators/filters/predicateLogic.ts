/** A predicate of one object, or of the two versions of an update. */
export type ObjectsPredicate<T> = (...objects: T[]) => boolean;

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
export function allOf<T>(...predicates: readonly ObjectsPredicate<T>[]): ObjectsPredicate<T> {
  return (...objects) => predicates.every((predicate) => predicate(...objects));
}

/** A predicate that is true when any of these is, called in order. */
export function anyOf<T>(...predicates: readonly ObjectsPredicate<T>[]): ObjectsPredicate<T> {
  return (...objects) => predicates.some((predicate) => predicate(...objects));
}

/** A predicate that is true when none of these is, called in order. */
export function noneOf<T>(...predicates: readonly ObjectsPredicate<T>[]): ObjectsPredicate<T> {
  return (...objects) => !predicates.some((predicate) => predicate(...objects));
}
