import type { ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import { parseLabelSelector } from '../../api/selectors.js';
import type { PatchOptions, SelectionOptions } from '../kubeClient.js';

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A query string with its `?`, without parameters that are absent, empty or false; `''` when none is left. */
export function query(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function selection({ labelSelector, fieldSelector }: SelectionOptions): Parameters {
  // Text is sent unparsed: the server may support more than our parser.
  return { labelSelector: typeof labelSelector === 'object' ? parseLabelSelector(labelSelector).toString() : labelSelector, fieldSelector };
}

/** The query of a LIST. */
export function listQuery(request: ListRequest & SelectionOptions): string {
  const { limit, continue: token, resourceVersion, resourceVersionMatch, shardSelector } = request;
  return query({
    ...selection(request),
    limit: limit === 0 ? undefined : limit,
    continue: token,
    resourceVersion,
    resourceVersionMatch,
    shardSelector,
  });
}

/** The query of a WATCH. */
export function watchQuery(request: WatchRequest & SelectionOptions): string {
  const { resourceVersion, resourceVersionMatch, allowWatchBookmarks, sendInitialEvents, timeoutSeconds, shardSelector } = request;
  return query({
    watch: true,
    ...selection(request),
    resourceVersion,
    resourceVersionMatch,
    allowWatchBookmarks,
    // Here `false` differs from absent.
    sendInitialEvents: sendInitialEvents === undefined ? undefined : String(sendInitialEvents),
    timeoutSeconds,
    shardSelector,
  });
}

/** The query of a write. */
export function writeQuery({ dryRun, fieldManager, fieldValidation, force }: PatchOptions): string {
  return query({ dryRun: dryRun === true ? 'All' : undefined, fieldManager, fieldValidation, force });
}
