/**
 * The objects of one group.
 */
export interface ObjectGroup<T> {
  /** The name of the group. */
  readonly key: string;
  /** At least one, in ascending order of their keys. */
  readonly objects: readonly T[];
}
