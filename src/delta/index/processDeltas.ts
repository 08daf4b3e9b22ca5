import type { Delta, Deltas, ObjectEvent, ResourceChange } from '../../api/events.js';
import { contentOf } from '../../cache/store/content.js';
import { expectStore, type NoInference, type Store, type StoreOf } from '../../cache/store/store.js';
import { failureOf, type InformerError, messageOf } from '../../api/errors/informerError.js';
import { checkOptions, rules } from '../../api/options.js';
import { NetEvents } from '../buffers/eventBuffer.js';
import { callHandler, checkHandler, type ResourceEventHandler } from '../resourceEventHandler.js';
import type { DeltaProcessor, KnownObjects, ListBoundary, ProcessContext } from '../fifo/deltaProcessor.js';
import { CachedObjects, cacheRules } from './cachedObjects.js';
import type { ScanToIndexOptions } from './cache.js';

/** Options of `processDeltas`; they mean the same as for `scanToIndex`. */
export type ProcessDeltasOptions<T, U = T> = Pick<
  ScanToIndexOptions<T, U>,
  'transform' | 'freeze' | 'comesShared' | 'resource' | 'known' | 'degraded'
>;

/** The process function made by `processDeltas`. */
export interface StoreProcessor<T, U = T> extends DeltaProcessor<T, ResourceChange<U>> {
  (deltas: Deltas<T>, isInInitialList: boolean, context?: ProcessContext): readonly ResourceChange<U>[];
  readonly knownObjects: KnownObjects<T>;
  listed(boundary: ListBoundary): readonly ResourceChange<U>[];
  caughtUp(resourceVersion: string): void;
}

/**
 * Makes the process function that maintains a store: the deltas of one key change the store, then the handler is called and the change is returned. It is for
 * `deltaFifo`, which emits the change, or for the pops of `createDeltaFifo`.
 *
 * ```text
 * deltas    Replaced(a)    Updated(a')    Deleted(a'')    (end of the list)
 * store     {a}            {a'}           {}
 * result    {+a}           {~a'}          {-a''}          {synced}
 * ```
 *
 * - The store's content decides between `added` and `updated`, not the type of the delta. Another uid under a key is a `deleted` and an `added`.
 *   The deletion of an object that is not in the store is not emitted.
 * - A `Replaced` or `Updated` that changes nothing is not emitted, except while the first list is processed (unless `known`). A `Sync` of the object
 *   in the store is an `updated` with `resync`.
 * - Behind `deltaFifo`, `synced` follows when a list has been processed, and the store is complete up to its version. With `createDeltaFifo`, the store's
 *   version is that of the last object.
 * - Failing transforms (`ERR_TRANSFORM`), index functions (`ERR_INDEX_FUNC`) and handlers (`ERR_HANDLER`) affect nothing else. They are reported to
 *   `deltaFifo`; with `createDeltaFifo` they are thrown at the end. An error that the store throws ends the result of `deltaFifo`.
 *
 * To run slow work before the store changes, wrap the function and keep its members:
 *
 * @example
 * ```ts
 * import { concatMap, from } from 'rxjs';
 * import type { KubernetesObject, ResourceChange } from 'rx-informer';
 * import { createIndexer, deltaFifo, processDeltas, type DeltaProcessor } from 'rx-informer/pipeline';
 *
 * declare function archive(key: string): Promise<void>;
 * const apply = processDeltas(createIndexer<KubernetesObject>());
 * const slowly: DeltaProcessor<KubernetesObject, ResourceChange<KubernetesObject>> = Object.assign(
 *   (...[deltas, ...rest]: Parameters<typeof apply>) => from(archive(deltas[0]?.key ?? '')).pipe(concatMap(() => apply(deltas, ...rest))),
 *   apply,
 * );
 * const operator = deltaFifo(slowly);
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see client-go: `processDeltas` in tools/cache/controller.go
 */
export function processDeltas<U, T = U>(
  indexer: StoreOf<U>,
  handler: ResourceEventHandler<NoInference<U>> = {},
  options: ProcessDeltasOptions<T, NoInference<U>> = {},
): StoreProcessor<T, U> {
  expectStore('processDeltas', indexer);
  checkHandler('processDeltas', handler);
  checkOptions<ProcessDeltasOptions<T, U>>('processDeltas', options, { ...cacheRules, known: rules.boolean });
  return storeProcessor(indexer, handler, options);
}

function storeProcessor<T, U>(
  indexer: Store<U>,
  handler: ResourceEventHandler<U>,
  options: ProcessDeltasOptions<T, U>,
): StoreProcessor<T, U> {
  const { resource = 'objects' } = options;
  const problems: InformerError[] = [];
  let context: ProcessContext | undefined;
  const onError = (error: InformerError): number => problems.push(error);
  const objects = new CachedObjects<T, U>(indexer, contentOf(indexer), { ...options, onError }, () => context?.isOver() === true);
  const { apply, changesOf, knownObjects, ...bounds } = deltasInto<T, U>(objects, options.known ?? false);
  const handle = (events: readonly ObjectEvent<U>[]): void => events.forEach((event) => call(handler, event, resource, problems));

  const process = (deltas: Deltas<T>, isInInitialList: boolean, given?: ProcessContext): readonly ResourceChange<U>[] => {
    context = given;
    // Keys overtake each other in the queue, so only the queue knows up to which version the store is complete.
    const version = context === undefined ? undefined : indexer.lastStoreSyncResourceVersion();
    const steps: ObjectEvent<U>[] = [];
    objects.begin();
    try {
      for (const delta of deltas) {
        const events = apply(delta, isInInitialList, version);
        steps.push(...events);
        if (context === undefined) handle(events);
      }
    } catch (error) {
      // The user's store has thrown, and may have the change by half.
      if (context === undefined) throw error;
      context.fail(error);
      return [];
    }
    if (context === undefined) raise(problems.splice(0), context);
    else if (context.isOver()) {
      objects.undo();
      problems.length = 0;
    } else {
      // A handler may subscribe, so it is called after all changes of the store have been emitted.
      context.after(() => {
        handle(steps);
        raise(problems.splice(0), given);
      });
    }
    return changesOf(steps);
  };

  return Object.assign(process, { knownObjects: knownObjects as KnownObjects<T>, ...bounds });
}

function call<U>(handler: ResourceEventHandler<U>, event: ObjectEvent<U>, resource: string, problems: InformerError[]): void {
  try {
    callHandler(handler, event);
  } catch (cause) {
    const { key, type } = event;
    problems.push(failureOf('ERR_HANDLER', `A handler of ${resource} failed when called for \`${type}\``, cause, { resource, key }));
  }
}

function raise(problems: readonly InformerError[], context: ProcessContext | undefined): void {
  const [first] = problems;
  if (context !== undefined) problems.forEach(context.report);
  else if (problems.length > 1)
    throw new AggregateError(problems, `Processing failed ${problems.length} times: ${messageOf(first)}, and others`);
  else if (first !== undefined) throw first;
}

/** Applies deltas to a store. `version` becomes the store's version; by default that of the object. */
function deltasInto<T, U>(objects: CachedObjects<T, U>, known: boolean) {
  const { store } = objects;
  /** Objects for which every version failed to transform. They are known although the store lacks them. */
  const unready = new Map<string, T>();
  let synced = false;
  return {
    apply: (delta: Delta<T>, isInInitialList: boolean, version: string | undefined): readonly ObjectEvent<U>[] => {
      const { type, key, object } = delta;
      unready.delete(key);
      if (type === 'Deleted') return objects.remove(key, delta.finalStateUnknown ? undefined : object, version, delta.reason);
      const before = store.getByKey(key);
      if (type === 'Sync' && before !== undefined && before === (object as unknown)) {
        return [{ type: 'updated', key, object: before, oldObject: before, resync: true, inferred: false }];
      }
      const isNews = isInInitialList && !known;
      const inferred = type === 'Replaced';
      const { isCurrent = !inferred } = delta;
      const events = objects.upsert(key, object, version, { initial: isInInitialList, inferred, isNews, isCurrent });
      if (objects.degraded.has(key) && store.getByKey(key) === undefined) unready.set(key, object);
      return events;
    },
    changesOf: (steps: readonly ObjectEvent<U>[]): readonly ResourceChange<U>[] => {
      const net = new NetEvents<U>();
      net.add(steps);
      const events = net.take();
      if (events.length === 0) return [];
      const isResync = events.every((event) => event.type === 'updated' && event.resync);
      return [{ cause: isResync ? 'resync' : 'watch', events, resourceVersion: store.lastStoreSyncResourceVersion(), synced }];
    },
    listed: (boundary: ListBoundary): readonly ResourceChange<U>[] => {
      objects.reach(boundary.resourceVersion);
      ({ synced } = boundary);
      return [{ cause: 'list', events: [], ...boundary, resourceVersion: store.lastStoreSyncResourceVersion() }];
    },
    caughtUp: (resourceVersion: string): void => store.bookmark(resourceVersion),
    // The objects of `Sync` and of tombstones are recognized by identity: they must be those of the store.
    knownObjects: {
      listKeys: () => (unready.size === 0 ? store.listKeys() : [...new Set([...store.listKeys(), ...unready.keys()])]),
      getByKey: (key) => store.getByKey(key) ?? unready.get(key),
    } satisfies KnownObjects<T | U>,
  };
}
