import { concat, defer, EMPTY, ignoreElements, merge, mergeMap, Subject, tap, type ObservableInput, type OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../api/resourceEvent.js';
import type { ObjectEvent } from './groupByKey.js';

/**
 * Options of `mergeMapByKey`.
 */
export interface MergeMapByKeyOptions {
  /**
   * How many pieces of work may run at once, at least 1.
   *
   * @defaultValue Infinity
   */
  readonly concurrency?: number;
}

/**
 * Runs asynchronous work for each event: in order and one at a time for each key, at the same time for different keys.
 *
 * ```text
 * source           +a  ~a  +b
 * mergeMapByKey    A------A'------      the work for ~a waits for that of +a
 *                          B------      the work for +b does not
 * ```
 *
 * Events that wait are kept and none is skipped: a reconciler that only needs the newest state is better served by `reconcile`. Boundaries are
 * left out. An error of the work, or of the source, ends the result and the work under way; the source's completion waits for the work.
 *
 * @throws TypeError when `concurrency` is below 1.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, mergeMapByKey, resources } from 'rx-informer';
 *
 * declare function notify(key: string): Promise<void>;
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(mergeMapByKey((event) => notify(event.key), { concurrency: 4 })).subscribe();
 * ```
 */
export function mergeMapByKey<T, R>(
  work: (event: ObjectEvent<T>) => ObservableInput<R>,
  options: MergeMapByKeyOptions = {},
): OperatorFunction<ResourceEvent<T>, R> {
  const { concurrency = Infinity } = options;
  if (!(concurrency >= 1)) throw new TypeError(`Expected \`concurrency\` to be at least 1, got ${String(concurrency)}`);
  return (source) =>
    defer(() => {
      /** What each busy key has to do, the event at work first. */
      const queues = new Map<string, ObjectEvent<T>[]>();
      const ready = new Subject<ObjectEvent<T>>();
      let sourceIsDone = false;
      const settle = (): void => {
        if (sourceIsDone && queues.size === 0) ready.complete();
      };
      const enqueue = (event: ObjectEvent<T>): void => {
        const queue = queues.get(event.key);
        if (queue !== undefined) queue.push(event);
        else {
          queues.set(event.key, [event]);
          ready.next(event);
        }
      };
      const advance = (key: string): typeof EMPTY => {
        const queue = queues.get(key);
        queue?.shift();
        const next = queue?.[0];
        if (next === undefined) queues.delete(key);
        else ready.next(next);
        settle();
        return EMPTY;
      };
      const arrivals = source.pipe(
        tap({
          next: (event) => {
            if (event.type !== 'synced') enqueue(event);
          },
          complete: () => {
            sourceIsDone = true;
            settle();
          },
        }),
        ignoreElements(),
      );
      const results = ready.pipe(
        mergeMap(
          (event) =>
            concat(
              defer(() => work(event)),
              defer(() => advance(event.key)),
            ),
          concurrency,
        ),
      );
      // The results first: a source may emit while it is being subscribed to.
      return merge(results, arrivals);
    });
}
