import type { WatchRequest } from '../../api/listerWatcher.js';

/**
 * The request of a watch from a version, or of a streamed list that is at least as new as it (`list`).
 *
 * The time after which the server shall close it is drawn anew each time, so that many watches do not end together.
 *
 * @internal
 */
export function watchRequest(
  resourceVersion: string,
  list: boolean,
  { watchTimeoutSeconds, random }: { readonly watchTimeoutSeconds: number; readonly random: () => number },
): WatchRequest {
  return {
    ...(resourceVersion !== '' && { resourceVersion }),
    allowWatchBookmarks: true,
    timeoutSeconds: Math.floor(watchTimeoutSeconds * (1 + random())),
    ...(list && { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }),
  };
}
