import type { Collection } from '../../informer/collection.js';

/**
 * Where a view keeps its place in the graph of views.
 */
export const viewPort: unique symbol = Symbol.for('rx-informer.viewPort') as never;

/**
 * The labels of a value; undefined when it has none.
 */
export type LabelsOf<T> = (value: T) => Readonly<Record<string, string>> | undefined;

/**
 * What views know of each other.
 */
export interface ViewPort {
  readonly name: string;
  readonly labels: LabelsOf<unknown> | undefined;
  /** The views that are connected to this one. */
  readonly dependents: Set<ViewPort>;
  /** Makes the level at least this one, and those of the dependents higher. */
  raise(level: number): void;
  /** The way from this view to another one that it is made of; undefined when it is not. */
  wayTo(other: ViewPort): readonly string[] | undefined;
}

/**
 * The place of a collection in the graph of views; undefined for one that is no view.
 */
export function viewPortOf(collection: Collection<never>): ViewPort | undefined {
  return (collection as unknown as { readonly [viewPort]?: ViewPort })[viewPort];
}
