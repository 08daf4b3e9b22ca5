import { NEVER, Observable, of, type SchedulerLike } from 'rxjs';
import type { ListChunk, ListerWatcher, ListRequest, WatchChunk, WatchRequest } from '../../api/listerWatcher.js';
import { definedOf } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { FakeRequest } from './fakeListerWatcher.js';

/** The answers of a {@link scriptedListerWatcher}. */
export interface ListerWatcherScript<T> {
  /** The answers to the first, second, ... list. Later lists get no answer. */
  readonly lists?: readonly Observable<ListChunk<T>>[];
  /** The answers to the first, second, ... watch. Later watches get no answer. */
  readonly watches?: readonly Observable<WatchChunk<T>>[];
  /**
   * The answers to the first, second, ... check of the server's version, which is a list of one object without a version. Later checks get
   * a version far ahead. By default, a check is answered like any other list.
   */
  readonly looks?: readonly Observable<ListChunk<T>>[];
  readonly resource?: string;
  readonly scope?: string;
  readonly expected?: { readonly apiVersion: string; readonly kind: string };
  readonly watchList?: boolean;
  /** Called when a request is sent: when the answer is subscribed to. */
  readonly onRequest?: (request: FakeRequest) => void;
  /** The clock of `at`. @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike;
}

const farAhead = of({ metadata: { resourceVersion: '1000000000' }, items: [] });

function isLook({ limit, resourceVersion, continue: token }: ListRequest): boolean {
  return limit === 1 && resourceVersion === undefined && token === undefined;
}

/**
 * A lister-watcher with prepared answers, given in order regardless of the requests, for example as marbles. Cold like a real one, but all subscriptions share
 * one script.
 */
export function scriptedListerWatcher<T>(script: ListerWatcherScript<T>): ListerWatcher<T> {
  const { lists = [], watches = [], looks, onRequest, resource, scope, expected, watchList } = script;
  const scheduler = schedulerOf(script.scheduler);
  const next = { list: 0, watch: 0, look: 0 };
  const answer = <V>(
    kind: 'list' | 'watch' | 'look',
    request: ListRequest & WatchRequest,
    answers: readonly Observable<V>[],
    last: Observable<V> = NEVER,
  ): Observable<V> =>
    new Observable((subscriber) => {
      const prepared = answers[next[kind]] ?? last;
      next[kind] += 1;
      onRequest?.({ at: scheduler.now(), verb: kind === 'watch' ? 'watch' : 'list', request });
      return prepared.subscribe(subscriber);
    });
  return {
    ...definedOf({ resource, scope, expected, watchList }),
    list: (request) => (looks !== undefined && isLook(request) ? answer('look', request, looks, farAhead) : answer('list', request, lists)),
    watch: (request) => answer('watch', request, watches),
  };
}
