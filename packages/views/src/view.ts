import type { Collection, InformerError, ResourceChange } from 'rx-informer';
import type { Logger, Indexers, Selection } from 'rx-informer/internal';
import type { SchedulerLike } from 'rxjs';

/**
 * Counters of a view since it was created.
 */
export interface ViewCounters {
  /** The number of values computed. */
  readonly computed: number;
  /** How many of them equalled the previous value, so that nothing was emitted. */
  readonly unchanged: number;
  /** The number of computations that failed. */
  readonly failed: number;
  /** The total time of all computations, in milliseconds. */
  readonly durationMs: number;
  /** The number of changes emitted. */
  readonly changes: number;
}

/**
 * The objects of one collection that a value was computed from.
 */
export interface ViewInput {
  readonly collection: string;
  /** What was read, for example `namespace shop labels app=web`. */
  readonly read: string;
  /** The keys of the objects found. */
  readonly keys: readonly string[];
}

/**
 * How a value of a view was computed.
 */
export interface ViewExplanation {
  readonly key: string;
  readonly inputs: readonly ViewInput[];
  /** The change that led to the last computation. */
  readonly cause:
    { readonly collection: string; readonly cause: ResourceChange<unknown>['cause']; readonly keys: readonly string[] } | undefined;
  /** When it was computed, in milliseconds of the scheduler. */
  readonly computedAt: number;
  /** How long the computation took. */
  readonly durationMs: number;
  /** The error of the last computation; the value is then that of the last successful one. */
  readonly error?: InformerError | undefined;
}

/**
 * A collection that is computed from others, and updated with them.
 *
 * It works while it has a subscriber, or after `start` or `whenSynced`; otherwise it costs nothing, and reads return its last content. Its content is published
 * when all of its inputs are complete. A change of an input causes at most one change of the view, after which all views and inputs agree.
 */
export interface View<T> extends Collection<T> {
  /** Keeps the view running until `stop`. */
  start(): void;
  /** Ends it for good: its observables complete. */
  stop(): Promise<void>;
  /** The objects that the value of a key was computed from, the change that caused it, and how long it took; undefined when there is no such value. */
  explain(key: string): ViewExplanation | undefined;
  /** Adds indexes, with entries for existing objects, and returns what removes them; a view that reads one keeps it. */
  addIndexers(indexers: Indexers<T>): () => void;
  /** Counters since the view was created. */
  counters(): ViewCounters;
}

/**
 * Options of every view.
 */
export interface ViewOptions<T> {
  /** The view's name in messages. @defaultValue made of the function's name and the inputs' names */
  readonly name?: string | undefined;
  /**
   * Whether a new value equals the previous one, so that nothing is emitted. @defaultValue structural equality of plain objects and arrays; values with more than
   * 10,000 parts that are nested deeper than 200 levels count as different
   */
  readonly equals?: ((before: T, after: T) => boolean) | undefined;
  /** The labels of a value, for selectors of `read` and of the lister. @defaultValue those in its metadata, if it has any */
  readonly labels?: ((value: T) => Readonly<Record<string, string>> | undefined) | undefined;
  /** Index functions by name. */
  readonly indexers?: Indexers<T> | undefined;
  /**
   * The number of keys computed at once during the first fill; then the event loop runs other tasks. The content is published as a whole nevertheless.
   * `Infinity` for no limit. @defaultValue 5000
   */
  readonly sliceSize?: number | undefined;
  /** How long the view keeps running after its last subscriber has left, in milliseconds. @defaultValue 0 */
  readonly idleGraceMs?: number | undefined;
  /** Freezes values deeply, so that a mutation throws where it happens. @defaultValue true outside of production */
  readonly freeze?: boolean | undefined;
  /** Gets every failure and warning. @defaultValue the console, for failures that are not observed, once per code and minute */
  readonly logger?: Logger | undefined;
  /** The clock of all timers. @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * A label selector that matches nothing, for `read`: like that of a Service without a selector.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, none } from '@rx-informer/views';
 *
 * const services = createInformer(createClient(), resources.core.v1.services);
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const backends = derive(services, ({ metadata, spec }, read) =>
 *   read(pods, { namespace: metadata?.namespace, labelSelector: spec?.selector ?? none }),
 * );
 * ```
 */
export const none: unique symbol = Symbol.for('rx-informer.none') as never;

/**
 * Returned by the function of `derive`, `deriveMany` or `deriveWithStatus` to keep everything computed for an object unchanged, without an
 * error. The function's reads are recorded, so that it is called again when they change.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, keep } from '@rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const lastAddress = derive(pods, ({ status }) => status?.podIP ?? keep);
 * ```
 */
export const keep: unique symbol = Symbol.for('rx-informer.keep') as never;

/**
 * The objects of a collection to read: those that meet every condition. A condition that is present but undefined is an error: it would read too much.
 */
export interface ReadSelection<T> {
  /** The namespace in the keys of the objects. */
  readonly namespace?: string | undefined;
  /** Text as of kubectl's `-l`, a selector object as in specs, a map of labels, or `none`. An empty selector matches everything. */
  readonly labelSelector?: Selection | typeof none | undefined;
  /** A pure function of the object alone. The value is computed again when an object changes for which it returned or now returns true. */
  readonly filter?: ((object: T) => boolean) | undefined;
}

/**
 * Reads other collections inside the function of a view, and records what was read: the value is computed again when that changes.
 *
 * The objects are in ascending order of their keys. They are the cached ones, which must not be changed. `read` works only until the function returns.
 */
export interface Read {
  /**
   * The selected objects of a collection; all of them without a selection.
   *
   * Equality requirements of a label selector use an index; without any, all objects of the namespace or of the collection are tested.
   *
   * @throws TypeError when a condition is undefined or not a selector, or when the collection depends on the view that reads it.
   */
  <T>(collection: Collection<T>, selection?: ReadSelection<T>): readonly T[];
  /** The object under a key, if there is one. */
  get<T>(collection: Collection<T>, key: string): T | undefined;
  /**
   * The objects with a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex<T>(collection: Collection<T>, indexName: string, indexedValue: string): readonly T[];
  /**
   * The time in milliseconds since 1970, rounded down to whole steps of `stepMs`. The value is computed again when the next step begins.
   *
   * @throws TypeError when `stepMs` is not a number above 0.
   */
  now(stepMs: number): number;
}
