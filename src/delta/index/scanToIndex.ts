import { Observable, type OperatorFunction } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ResourceChange, SourceEvent } from '../../api/events.js';
import { follow } from '../../rx/trampoline.js';
import { checkOptions } from '../../api/options.js';
import { expectStore, type StoreOf } from '../../cache/store/store.js';
import { type ScanToIndexOptions, scanToIndexRules } from './objectIntake.js';
import { StoreIntake } from './storeIntake.js';

/**
 * Folds source events into a store and emits what has changed: first the store changes, then that change is emitted, as one value.
 *
 * ```text
 * source  init  page(a b)  ready             deleted(a)  init  page(b' c)  ready
 * store                    {a b}             {b}                           {b' c}
 * result                   {+a +b, synced}   {-a}                          {~b +c, synced}
 * ```
 *
 * - A list becomes visible as one `store.replace`, and is one change with the cause `list`, also when it changes nothing: `deleted` first
 *   (`finalStateUnknown`), then `added` and `updated` in the order of the list. `synced` says whether every scope is complete.
 * - A change with the cause `watch` has one event, or a `deleted` and an `added` for another uid under a name. `added` or `updated` is decided by the
 *   store's content.
 * - An object that a list brings again in the same version is not emitted again, unless the list is older than what was seen before: then the
 *   contents are compared.
 * - A delete of something that is not in the store is not shown. `bookmark` goes to `store.bookmark`, `status` nowhere.
 * - Errors: objects without a key (`ERR_KEY`), failing transforms (`ERR_TRANSFORM`) and failing index functions (`ERR_INDEX_FUNC`) go to
 *   `onError` after the change they belong to, and concern that object alone. An error of the source passes through.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, reflect, scanToIndex, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * const indexer = createIndexer<KubernetesObject>();
 * reflect(pods).pipe(scanToIndex(indexer)).subscribe(({ cause, events }) => console.log(cause, events.length));
 * ```
 *
 * @throws TypeError when the store or an option is wrong.
 *
 * @see client-go: `processDeltas` and `processReplacedAll` in tools/cache/controller.go
 */
export function scanToIndex<T, U = T>(
  store: StoreOf<U>,
  options: ScanToIndexOptions<T, U> = {},
): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  expectStore('scanToIndex', store);
  checkOptions<ScanToIndexOptions<T, U>>('scanToIndex', options, scanToIndexRules);
  return (source) =>
    new Observable((subscriber) => {
      const reports: InformerError[] = [];
      const intake = new StoreIntake(store, options, (error) => reports.push(error));
      follow(source, subscriber, {
        next: (event) => {
          const change = intake.accept(event);
          if (change !== undefined) subscriber.next(change);
          // A callback may subscribe somewhere: it runs when the change is over, so that it sees all of it or nothing.
          if (reports.length > 0) for (const error of reports.splice(0)) options.onError?.(error);
        },
      });
    });
}
