import { asJsonObject, isJsonArray, isJsonObject, listAt, valueAt, type Json, type JsonObject } from '../json.js';
import { isFilled } from '../validation/fieldChecks.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';

/** The list with its items changed; the list itself where no item is. */
function changedItems(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  const changed = list.map(change);
  return changed.every((item, at) => item === list[at]) ? list : changed;
}

/** Requests default to the limits of the same container. */
function withRequests(containers: Json | undefined): Json | undefined {
  if (!isJsonArray(containers)) return containers;
  return changedItems(containers, (container) => {
    const { limits, requests } = asJsonObject(valueAt(container, 'resources'));
    if (!isJsonObject(container) || !isJsonObject(limits)) return container;
    if (isJsonObject(requests) && Object.keys(limits).every((name) => name in requests)) return container;
    return {
      ...container,
      resources: { limits, ...asJsonObject(container['resources']), requests: { ...limits, ...asJsonObject(requests) } },
    };
  });
}

/** With `hostNetwork`, the host ports of a container default to its container ports. */
function withHostPorts(containers: Json | undefined): Json | undefined {
  if (!isJsonArray(containers)) return containers;
  return containers.map((container) => {
    const { ports } = asJsonObject(container);
    if (!isJsonArray(ports)) return container;
    const opened = ports.map((port) => ({ ...asJsonObject(port), hostPort: valueAt(port, 'hostPort') || valueAt(port, 'containerPort') }));
    return { ...asJsonObject(container), ports: opened };
  });
}

/** Fields of which one agrees with the first of a list: of two that differ, the former counts. */
export function agreeing(fields: JsonObject, one: string, list: string, wrapped: (value: Json) => Json, at: readonly string[]): JsonObject {
  const first = valueAt(listAt(fields, list)[0], ...at);
  const value = fields[one] ?? first;
  if (value === undefined || (value === first && value === fields[one])) return fields;
  return { ...fields, [one]: value, ...(value !== first && { [list]: [wrapped(value)] }) };
}

/** A pod with the fields that the server fills in. */
export function completePod(sent: JsonObject): JsonObject {
  const status = asJsonObject(sent['status']);
  const addressed = agreeing(status, 'podIP', 'podIPs', (ip) => ({ ip }), ['ip']);
  const content = addressed === status ? sent : { ...sent, status: addressed };
  const spec = asJsonObject(content['spec']);
  const complete = (name: string): Json | undefined => {
    const containers = withRequests(spec[name]);
    return spec['hostNetwork'] === true ? withHostPorts(containers) : containers;
  };
  const { enableServiceLinks = true } = spec;
  const filled: JsonObject = { enableServiceLinks, containers: complete('containers'), initContainers: complete('initContainers') };
  const changed = Object.keys(filled).filter((name) => filled[name] !== spec[name]);
  if (changed.length === 0) return content;
  return { ...content, spec: { enableServiceLinks, ...spec, ...Object.fromEntries(changed.map((name) => [name, filled[name]])) } };
}

const compute = ['cpu', 'memory'];

function amount(resources: Json | undefined, part: string, name: string): bigint | undefined {
  const value = valueAt(resources, part, name);
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value))?.nano : undefined;
}

/** The QoS class of a pod, by the requests and limits of its containers. */
export function qosClassOf(content: JsonObject): string {
  const spec = asJsonObject(content['spec']);
  const lists = [spec['containers'], spec['initContainers']];
  const resources = lists.flatMap((list) => listAt(list).map((container) => valueAt(container, 'resources')));
  const asks = (one: Json | undefined): boolean =>
    compute.some((name) => (amount(one, 'requests', name) ?? amount(one, 'limits', name)) !== undefined);
  if (!resources.some(asks)) return 'BestEffort';
  const guaranteed = resources.every((one) =>
    compute.every((name) => {
      const limit = amount(one, 'limits', name);
      return limit !== undefined && limit !== 0n && (amount(one, 'requests', name) ?? limit) === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** The status of a new pod. */
export function firstPodStatus(content: JsonObject, now: string): JsonObject {
  const status = { phase: 'Pending', qosClass: qosClassOf(content) };
  if (!isFilled(valueAt(content, 'spec', 'schedulingGates'))) return status;
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  const gated = { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message, lastProbeTime: null, lastTransitionTime: now };
  return { ...status, conditions: [gated] };
}
