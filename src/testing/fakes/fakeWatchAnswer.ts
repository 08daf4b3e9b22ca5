import { Observable, type SchedulerLike, throwError } from 'rxjs';
import { apiErrorOfStatus } from '../../api/errors/apiError.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { WatchChunk, WatchRequest } from '../../api/listerWatcher.js';
import type { FakeHistory } from './fakeHistory.js';
import { FakeWatch } from './fakeWatch.js';
import { expiredStatus, failureStatus, tooLargeResourceVersionStatus } from './serverErrors.js';

/** What a fake watch uses of its server. @internal */
export interface FakeWatchAnswerOptions<T extends KubernetesObject> {
  readonly scheduler: SchedulerLike;
  readonly selects: (object: T) => boolean;
  readonly watchList: 'on' | 'refused' | 'ignored';
  readonly bookmarkIntervalMs: number;
  /** The open watches, including this one while it is open. */
  readonly watches: Set<FakeWatch<T>>;
}

/**
 * Answers a watch like a server: with all changes after the requested version; without a version, with all objects first; for an expired
 * version, with a 410 inside the answer. For a version in the future, the watch is silent, unless a list is streamed.
 *
 * @internal
 */
export function fakeWatchAnswer<T extends KubernetesObject>(
  history: FakeHistory<T>,
  request: WatchRequest,
  options: FakeWatchAnswerOptions<T>,
): Observable<WatchChunk<T>> {
  const { scheduler, selects, watchList, watches } = options;
  const { sendInitialEvents = false, resourceVersion = '', allowWatchBookmarks = false, timeoutSeconds = Infinity } = request;
  const streamed = sendInitialEvents && watchList !== 'ignored';
  if (streamed && watchList === 'refused') {
    const status = failureStatus(422, 'Invalid', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch');
    return throwError(() => apiErrorOfStatus(status));
  }
  return new Observable((subscriber) => {
    const asked = Number(resourceVersion);
    const fresh = streamed || asked === 0;
    const watch = new FakeWatch(subscriber, history, {
      selects,
      scheduler,
      after: fresh ? history.version : asked,
      initial: fresh
        ? history
            .at(history.version)
            .map(([, object]) => object)
            .filter(selects)
        : [],
      marker: streamed && allowWatchBookmarks,
      bookmarkIntervalMs: allowWatchBookmarks ? options.bookmarkIntervalMs : Infinity,
      timeoutMs: timeoutSeconds * 1000,
    });
    watches.add(watch);
    subscriber.add(() => watches.delete(watch));
    if (streamed && asked > history.version) watch.fail(tooLargeResourceVersionStatus(resourceVersion, String(history.version)));
    else if (!fresh && asked < history.oldest) watch.fail(expiredStatus(resourceVersion, String(history.oldest)));
    else watch.open();
  });
}
