/**
 * Decides by one object, or by the two versions of an update.
 */
export type ObjectsPredicate<T> = (...objects: T[]) => boolean;

/**
 * A predicate that holds when all of these do, asked in order.
 *
 * @example
 * ```ts
 * import { allOf, filterUpdates, labelsChanged, not, statusChanged, type V1Node } from 'rx-informer';
 *
 * const onlyLabels = filterUpdates<V1Node>(allOf(labelsChanged, not(statusChanged)));
 * ```
 */
export function allOf<T>(...predicates: readonly ObjectsPredicate<T>[]): ObjectsPredicate<T> {
  return (...objects) => predicates.every((predicate) => predicate(...objects));
}

/**
 * A predicate that holds when any of these does, asked in order.
 */
export function anyOf<T>(...predicates: readonly ObjectsPredicate<T>[]): ObjectsPredicate<T> {
  return (...objects) => predicates.some((predicate) => predicate(...objects));
}

/**
 * A predicate that holds when the other does not.
 */
export function not<T>(predicate: ObjectsPredicate<T>): ObjectsPredicate<T> {
  return (...objects) => !predicate(...objects);
}
