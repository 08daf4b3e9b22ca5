import { Observable, type OperatorFunction } from 'rxjs';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { expectArgument } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { follow } from '../../rx/follow.js';
import { type DeltaFifoOptions, deltaFifoRules } from './deltaFifoOptions.js';
import { DeltaFifoSession } from './deltaFifoSession.js';
import type { DeltaProcessor } from './deltaProcessor.js';

/**
 * Puts a queue with one entry per object between a source and a process that is slower: the source never waits, and the process gets what has
 * happened to an object since it last looked, all at once.
 *
 * ```text
 * source   init page(a b) ready    ~a1   ~a2   -b
 * process                    [a]------|[b]---------|[~a1 ~a2]-----|[-b]--|
 * result                              r            r'              r'' ...
 * ```
 *
 * - Items are processed one at a time, in the order in which their keys came into the queue; `concurrent` allows several, never two of one key.
 *   What the results of `process` emit is emitted here.
 * - A list is collected until its `ready`, then queued in one step: each object as `Replaced`, then a `Deleted` with `finalStateUnknown` for each
 *   object of its scope that is queued, being processed or known, and not in the list. A list that is never complete leaves no trace.
 * - Watch events become `Added`, `Updated` and `Deleted`; the deletion of what is neither queued nor known is ignored. Bookmarks become no deltas:
 *   the newest version of all is passed to `process.caughtUp` whenever nothing waits. Status events are left out.
 * - `isInInitialList` is true until everything that was queued with the first list (of each scope) has been processed. `process.listed` is called
 *   then, and at the same point of every later list.
 * - Unlike `scanToIndex`, a store behind this operator changes object by object, also while a list is processed.
 * - Errors: see `onError`. An error of the source ends the result at once, its completion when everything queued has been processed.
 *   Unsubscribing unsubscribes from what is being processed and drops what waits.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, deltaFifo, processDeltas, reflect, shareWithSnapshot, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * const indexer = createIndexer<KubernetesObject>();
 * const changes = reflect(pods).pipe(deltaFifo(processDeltas(indexer), { onError: console.error }), shareWithSnapshot(indexer));
 * changes.subscribe(({ cause, events }) => console.log(cause, events.length));
 * ```
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { deltaFifo, reflect, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * declare function save(key: string, object: KubernetesObject | undefined): Promise<void>;
 * reflect(pods)
 *   .pipe(
 *     deltaFifo(
 *       async (deltas) => {
 *         const newest = deltas.at(-1);
 *         if (newest !== undefined) await save(newest.key, newest.type === 'Deleted' ? undefined : newest.object);
 *       },
 *       { compress: 'latest', retryOnError: true },
 *     ),
 *   )
 *   .subscribe();
 * ```
 *
 * @throws TypeError naming the option that is wrong.
 *
 * @see client-go: `DeltaFIFO` and `Controller`
 */
export function deltaFifo<T, R>(process: DeltaProcessor<T, R>, options: DeltaFifoOptions<T> = {}): OperatorFunction<SourceEvent<T>, R> {
  expectArgument('deltaFifo', 'process', process, rules.function);
  checkOptions('deltaFifo', options, deltaFifoRules);
  return (source) =>
    new Observable((subscriber) => {
      const session = new DeltaFifoSession(subscriber, process, options);
      const resyncs = options.resync$?.subscribe({
        next: () => session.resync(),
        error: (error: unknown) => subscriber.error(error),
      });
      subscriber.add(resyncs);
      follow(source, subscriber, {
        next: (event) => session.accept(event),
        complete: () => session.end(),
      });
    });
}
