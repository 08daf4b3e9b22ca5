import type { InformerError } from '../api/errors/informerError.js';
import type { ChangeCause } from '../api/events.js';
import type { Indexers } from '../cache/store/store.js';
import type { Collection, Selection } from '../informer/collection.js';
import type { SchedulerLike } from 'rxjs';
import type { Logger } from '../informer/session/errorReporter.js';

/**
 * What a view has done since it was made.
 */
export interface ViewCounters {
  /** How many values have been computed. */
  readonly computed: number;
  /** How many of them were equal to the value before, so that nothing was emitted. */
  readonly unchanged: number;
  /** How many computations have failed. */
  readonly failed: number;
  /** The milliseconds that all computations took. */
  readonly durationMs: number;
  /** How many changes have been emitted. */
  readonly changes: number;
}

/**
 * What a value was made from, of one collection.
 */
export interface ViewInput {
  readonly collection: string;
  /** What was read, for example `namespace shop labels app=web`. */
  readonly read: string;
  /** The keys of the objects that it found. */
  readonly keys: readonly string[];
}

/**
 * Why the value of a view is what it is.
 */
export interface ViewExplanation {
  readonly key: string;
  readonly inputs: readonly ViewInput[];
  /** The change that led to the last computation. */
  readonly cause: { readonly collection: string; readonly cause: ChangeCause; readonly keys: readonly string[] } | undefined;
  /** When it was computed, in milliseconds of the scheduler. */
  readonly computedAt: number;
  /** How long that took. */
  readonly durationMs: number;
  /** The failure of the last computation; the value is then that of the last one that succeeded. */
  readonly error?: InformerError | undefined;
}

/**
 * A collection that is computed from others, and kept up with them.
 *
 * It works while it has a subscriber, or after `start` or `whenSynced`; otherwise it costs nothing, and its reads show what it held last. Its content appears
 * when all of its inputs are complete. One change of an input is at most one change of the view, after which all views and inputs agree.
 */
export interface View<T> extends Collection<T> {
  /** Keeps the view up until `stop`. */
  start(): void;
  /** Ends it for good: its streams complete. */
  stop(): Promise<void>;
  /** Which objects the value under a key was made from, which change made it, and how long that took; undefined when there is no such value. */
  explain(key: string): ViewExplanation | undefined;
  /** Adds indexes, also to what is there already. */
  addIndexers(indexers: Indexers<T>): void;
  /** What the view has done since it was made. */
  counters(): ViewCounters;
}

/**
 * Options of every view.
 */
export interface ViewOptions<T> {
  /** What the view is called in messages. Default: what it is made by, and its inputs. */
  readonly name?: string | undefined;
  /** Whether a newly computed value is as good as the one before it; then nothing is emitted. Default: structural equality, of plain objects and arrays. */
  readonly equals?: ((before: T, after: T) => boolean) | undefined;
  /** The labels of a value, for selectors of `read` and of the lister. Default: those in its metadata, if it has any. */
  readonly labels?: ((value: T) => Readonly<Record<string, string>> | undefined) | undefined;
  /** Index functions by name. */
  readonly indexers?: Indexers<T> | undefined;
  /**
   * How many keys are computed at a stretch while the view is filled; then others get a turn of the event loop. The content appears as a whole all the same.
   * Default 5,000; `Infinity` for all at once.
   */
  readonly sliceSize?: number | undefined;
  /** How long the view goes on after its last subscriber has left, in milliseconds. Default 0. */
  readonly idleGraceMs?: number | undefined;
  /** Freezes values whole, so that a mutation throws where it happens. Default: `true` outside of production. */
  readonly freeze?: boolean | undefined;
  /** Gets every failure and warning. Default: the console gets failures that are not observed, once per code and minute. */
  readonly logger?: Logger | undefined;
  /** The clock and all timers. Default: a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * A label selector that selects nothing, for `read`: what a Service without a selector selects.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, none } from 'rx-informer/views';
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
 * What the function of `derive`, `deriveMany` or `deriveWithStatus` returns to leave everything that it has made of an object as it is: nothing changes, and
 * nothing has failed. What has been read is kept up, so that the function is called again when that changes.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, keep } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const lastAddress = derive(pods, ({ status }) => status?.podIP ?? keep);
 * ```
 */
export const keep: unique symbol = Symbol.for('rx-informer.keep') as never;

/**
 * Which objects of a collection to read; all that fulfil every condition. A condition that is there but undefined is an error: it would read too much.
 */
export interface ReadSelection<T> {
  /** The namespace in the keys of the objects. */
  readonly namespace?: string | undefined;
  /** The text of kubectl's `-l`, the object that specs carry, labels to be equal to, or `none`. An empty selector selects everything. */
  readonly labelSelector?: Selection | Readonly<Record<string, string>> | typeof none | undefined;
  /** A pure function of the object alone. The value is computed again when an object changes for which it returned true, or now does. */
  readonly filter?: ((object: T) => boolean) | undefined;
}

/**
 * Reads other collections inside the function of a view, and records what was read: the value is computed again when that changes.
 *
 * The objects come in ascending order of their keys. They are those of the cache: they must not be changed. It works only until the function returns.
 */
export interface Read {
  /**
   * The selected objects of a collection; all of them without a selection.
   *
   * Equality conditions of a label selector are looked up; without any, all objects of the namespace or of the collection are tested.
   *
   * @throws TypeError when a condition is undefined or no selector, or when the collection is made of the view that reads it.
   */
  <T>(collection: Collection<T>, selection?: ReadSelection<T>): readonly T[];
  /** The object under a key, if there is one. */
  get<T>(collection: Collection<T>, key: string): T | undefined;
  /**
   * The objects filed under a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex<T>(collection: Collection<T>, indexName: string, indexedValue: string): readonly T[];
  /**
   * The time in milliseconds since 1970, rounded down to whole steps of `stepMs`. The value is computed again when the next step begins.
   *
   * @throws TypeError when `stepMs` is no number above 0.
   */
  now(stepMs: number): number;
}
