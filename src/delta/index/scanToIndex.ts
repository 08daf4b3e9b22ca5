import { Observable, type OperatorFunction } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ResourceChange, SourceEvent } from '../../api/events.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { type CacheStore, expectStore, type StoreOf } from '../../cache/store/store.js';
import { follow } from '../../rx/trampoline.js';
import { Cache, type ScopedCacheOptions } from './cache.js';
import { cacheRules } from './cachedObjects.js';

/** Options of `scanToIndex`. */
export type ScanToIndexOptions<T, U = T> = ScopedCacheOptions<T, U>;

/** The rules of the options of `scanToIndex`. */
const scanToIndexRules: OptionRules<ScanToIndexOptions<never>> = {
  ...cacheRules,
  known: rules.boolean,
  keyFunc: rules.function,
  onError: rules.function,
  scopes: rules.iterable,
};

/**
 * Folds source events into a store and emits the changes: first the store changes, then the change is emitted as one value.
 *
 * ```text
 * source  init  page(a b)  ready             deleted(a)  init  page(b' c)  ready
 * store                    {a b}             {b}                           {b' c}
 * result                   {+a +b, synced}   {-a}                          {~b +c, synced}
 * ```
 *
 * - A list is one `store.replace` and one change with the cause `list`, even when it changes nothing: `deleted` first
 *   (`finalStateUnknown`), then `added` and `updated` in the order of the list. `synced` says whether every scope is complete.
 * - A change with the cause `watch` has one event, or a `deleted` and an `added` for another uid under a name; of source events with `more`, those of
 *   all of them. The store's content decides between `added` and `updated`.
 * - An object that a list contains in the cached version is not emitted again, unless the list is older than the cache: then the contents are
 *   compared.
 * - The deletion of an object that is not in the store is not emitted. `bookmark` calls `store.bookmark`, `status` is dropped.
 * - Errors: objects without a key (`ERR_KEY`), failing transforms (`ERR_TRANSFORM`) and failing index functions (`ERR_INDEX_FUNC`) go to
 *   `onError` after the change they belong to, and concern that object alone. An error of the source passes through, and one that the store throws ends the
 *   result.
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
  return cacheChanges<T, U>(store, options);
}

/** `scanToIndex` without the checks. @internal */
export function cacheChanges<T, U>(
  store: CacheStore<U>,
  options: ScanToIndexOptions<T, U>,
): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  return (source) =>
    new Observable((subscriber) => {
      const reports: InformerError[] = [];
      const cache = new Cache<T, U>(store, { ...options, onError: (error) => reports.push(error) }, () => subscriber.closed);
      follow(source, subscriber, {
        next: (event) => {
          let change: ResourceChange<U> | undefined;
          try {
            change = cache.accept(event);
          } catch (error) {
            // The user's store has thrown, and may have the change by half.
            subscriber.error(error);
            return;
          }
          if (change !== undefined) subscriber.next(change);
          // `onError` may subscribe. It is called after the whole change has been emitted, so that its subscription sees all of the change.
          if (reports.length > 0 && !('more' in event)) for (const error of reports.splice(0)) options.onError?.(error);
        },
      });
    });
}
