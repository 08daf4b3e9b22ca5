import { type Describable, labelsInMetadata, runningKey } from 'rx-informer/internal';
import type { Observable } from 'rxjs';
import type { Collection, ResourceChange } from 'rx-informer';

/** The member of a view with its port in the graph of views. */
export const viewPort: unique symbol = Symbol.for('rx-informer.viewPort') as never;

/** The labels of a value; undefined when it has none. */
export type LabelsOf<T> = (value: T) => Readonly<Record<string, string>> | undefined;

/**
 * What a user must be able to read to see a value: namespaces of collections that are no views. `''` stands for all of a collection.
 */
export type Needs = ReadonlyMap<Collection<never>, ReadonlySet<string>>;

/** The part of a view that other views and relays use. */
export interface ViewPort {
  readonly name: string;
  readonly labels: LabelsOf<unknown> | undefined;
  /** The views that are connected to this one. */
  readonly dependents: Set<ViewPort>;
  level: number;
  readonly resources: Set<string>;
  /** The inputs: the fixed ones, and those connected by reads. */
  upstream(): Iterable<Collection<never>>;
  isConnected(): boolean;
  /** Records from now on what each value needs. Its inputs do so already. */
  recordNeeds(): void;
  /** What a user must be able to read to see a value; undefined if that is not known. */
  needsOf(key: string): Needs | undefined;
  /** Called by an input: the needs of these values have changed, but the values have not; with `isWhole`, what all of it is made of has changed. */
  renewed(input: Collection<never>, change: ResourceChange<never>, isWhole: boolean): void;
  /** Emits the keys of values whose needs have changed, but which have not, when all views have settled. */
  readonly renewal$: Observable<readonly string[]>;
}

/** The port of a view; undefined for any other collection. */
export function viewPortOf(collection: Collection<never>): ViewPort | undefined {
  return (collection as unknown as { readonly [viewPort]?: ViewPort })[viewPort];
}

/** The function that returns the labels of an object of a collection. */
export function labelsOfObjectsIn<T>(collection: Collection<T>): LabelsOf<T> {
  return viewPortOf(untyped(collection))?.labels ?? labelsInMetadata;
}

/** A collection of unknown type: views keep inputs of different types together. */
export function untyped<T>(collection: Collection<T>): Collection<never> {
  return collection as unknown as Collection<never>;
}

/**
 * The path by which a view depends on a collection, as names; undefined if it does not.
 *
 * The search is short: connected inputs have lower levels, and only a view with dependents, or one being connected, can be on the path.
 */
export function dependencyPath(view: ViewPort, from: Collection<never>): readonly string[] | undefined {
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

/** Raises the level of a view, and of its dependents where necessary. */
export function raiseAll(view: ViewPort, level: number): void {
  if (view.level >= level) return;
  const open: [ViewPort, number][] = [[view, level]];
  // Breadth first: depth first could raise the top of many diamonds again and again.
  for (let at = 0; at < open.length; at += 1) {
    const [port, least] = open[at] as [ViewPort, number];
    if (port.level >= least) continue;
    port.level = least;
    for (const dependent of port.dependents) open.push([dependent, least + 1]);
  }
}

/** Adds the resources of an input to a view, and to its dependents. */
export function addResources(view: ViewPort, collection: Collection<never>): void {
  const names = (collection as unknown as Partial<Describable>)[runningKey]?.resources?.() ?? [];
  const open: [ViewPort, Iterable<string>][] = [[view, names]];
  for (const [port, names] of open) {
    const added = [...names].filter((name) => !port.resources.has(name));
    for (const name of added) port.resources.add(name);
    if (added.length > 0) for (const dependent of port.dependents) open.push([dependent, added]);
  }
}

/** Makes a view, and all views that it is made of, record what each value needs. */
export function trackNeeds(collection: Collection<never>): void {
  const collections = new Set([collection]);
  for (const each of collections) for (const input of viewPortOf(each)?.upstream() ?? []) collections.add(input);
  const ports = [...collections].flatMap((each) => viewPortOf(each) ?? []);
  // Inputs first: the needs of a value are made of those of its inputs.
  for (const port of ports.sort((a, b) => a.level - b.level)) port.recordNeeds();
}
