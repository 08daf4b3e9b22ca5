import type { Collection } from '../../informer/collection.js';
import type { ViewCounters } from '../view.js';

/** Where a view keeps its place in the graph of views. */
export const viewPort: unique symbol = Symbol.for('rx-informer.viewPort') as never;

/** The labels of a value; undefined when it has none. */
export type LabelsOf<T> = (value: T) => Readonly<Record<string, string>> | undefined;

/** What views know of each other. */
export interface ViewPort {
  readonly name: string;
  readonly labels: LabelsOf<unknown> | undefined;
  /** The views that are connected to this one. */
  readonly dependents: Set<ViewPort>;
  level: number;
  /** What it is made of in any case, and what it is connected to beside that. */
  upstream(): Iterable<Collection<never>>;
  isConnected(): boolean;
  counters(): ViewCounters;
}

/** The place of a collection in the graph of views; undefined for one that is no view. */
export function viewPortOf(collection: Collection<never>): ViewPort | undefined {
  return (collection as unknown as { readonly [viewPort]?: ViewPort })[viewPort];
}

/** A collection of whatever it is: views keep inputs of different types in one place. */
export function untyped<T>(collection: Collection<T>): Collection<never> {
  return collection as unknown as Collection<never>;
}

/**
 * The way from a collection to a view that it is made of, by names; undefined when it is not.
 *
 * What is connected is made of lower levels only, and nobody is made of a view that has no dependents, unless that is still to be connected.
 */
export function wayTo(view: ViewPort, from: Collection<never>): readonly string[] | undefined {
  const reachedFrom = new Map<ViewPort, ViewPort | undefined>();
  const open: ViewPort[] = [];
  const reach = (collection: Collection<never>, by: ViewPort | undefined): void => {
    const port = viewPortOf(collection);
    if (port === undefined || reachedFrom.has(port)) return;
    if (port !== view && port.isConnected() && (view.dependents.size === 0 || port.level <= view.level)) return;
    reachedFrom.set(port, by);
    open.push(port);
  };
  reach(from, undefined);
  for (let port = open.pop(); port !== undefined; port = open.pop()) {
    if (port !== view) {
      for (const input of port.upstream()) reach(input, port);
      continue;
    }
    const way: string[] = [];
    for (let at: ViewPort | undefined = view; at !== undefined; at = reachedFrom.get(at)) way.unshift(at.name);
    return way;
  }
  return undefined;
}

/** Raises a view to a level, and what depends on it as far as it has to. */
export function raiseAll(view: ViewPort, level: number): void {
  if (view.level >= level) return;
  const open: [ViewPort, number][] = [[view, level]];
  // In the order of their coming: a stack could raise the upper ones of many diamonds again and again.
  for (let at = 0; at < open.length; at += 1) {
    const [port, least] = open[at] as [ViewPort, number];
    if (port.level >= least) continue;
    port.level = least;
    for (const dependent of port.dependents) open.push([dependent, least + 1]);
  }
}
