import type { ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import { type OptionRules, rules } from '../../api/options.js';
import { type Resource, resourcePath } from '../../api/resource.js';
import { parseLabelSelector } from '../../api/selectors.js';
import type { SelectionOptions, SendOptions } from '../kubeClient.js';

export const sending: OptionRules<SendOptions> = { beforeSend: rules.function, rateLimited: rules.boolean };
export const selection: OptionRules<SelectionOptions> = {
  namespace: rules.string,
  labelSelector: rules.either(rules.string, rules.object),
  fieldSelector: rules.string,
};
const resourceVersionMatch = rules.oneOf('Exact', 'NotOlderThan');
/** What a list sends in its query. */
export const listed: OptionRules<ListRequest> = {
  limit: rules.number({ integer: true, min: 0 }),
  continue: rules.string,
  resourceVersion: rules.string,
  resourceVersionMatch,
  shardSelector: rules.string,
};
/** What a watch sends in its query. */
export const watched: OptionRules<WatchRequest> = {
  resourceVersion: rules.string,
  resourceVersionMatch,
  allowWatchBookmarks: rules.boolean,
  sendInitialEvents: rules.boolean,
  timeoutSeconds: rules.number({ min: 0 }),
  shardSelector: rules.string,
};

type Parameter = string | number | boolean | undefined;

/** A query string with its `?`, without parameters that are absent, empty or false; `''` when none is left. */
export function query(parameters: Readonly<Record<string, Parameter>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

/** The path and query of a list or watch. Selectors that are text are sent unparsed: the server may support more than our parser. */
export function selectionPath(
  resource: Resource<unknown, never>,
  request: SelectionOptions & ListRequest & WatchRequest,
  sent: OptionRules<ListRequest> | OptionRules<WatchRequest>,
): string {
  const { namespace, labelSelector, fieldSelector, limit, sendInitialEvents } = request;
  const names = Object.keys(sent) as (keyof typeof request)[];
  const given = Object.fromEntries(names.map((name) => [name, request[name] as Parameter]));
  const parameters = query({
    watch: sent === watched,
    labelSelector: typeof labelSelector === 'object' ? parseLabelSelector(labelSelector).toString() : labelSelector,
    fieldSelector,
    ...given,
    limit: limit === 0 ? undefined : limit,
    // Here `false` differs from absent.
    sendInitialEvents: sendInitialEvents === undefined ? undefined : String(sendInitialEvents),
  });
  return resourcePath(resource, { namespace }) + parameters;
}
