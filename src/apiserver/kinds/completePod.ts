import { asJsonObject, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { isFilled } from '../validation/fieldChecks.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';

/** Requests default to the limits of the same container. */
function withRequests(containers: Json | undefined): Json | undefined {
  if (!isJsonArray(containers)) return containers;
  return containers.map((container) => {
    const { limits, requests } = asJsonObject(valueAt(container, 'resources'));
    if (!isJsonObject(container) || !isJsonObject(limits)) return container;
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

/** A pod with the fields that the server fills in. */
export function completePod(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const complete = (name: string): JsonObject => {
    if (spec[name] === undefined) return {};
    const containers = withRequests(spec[name]);
    return { [name]: spec['hostNetwork'] === true ? withHostPorts(containers) : containers };
  };
  return { ...content, spec: { enableServiceLinks: true, ...spec, ...complete('containers'), ...complete('initContainers') } };
}

const compute = ['cpu', 'memory'];

function amount(resources: Json | undefined, part: string, name: string): string {
  const value = valueAt(resources, part, name);
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : undefined;
  return quantity === undefined ? '' : String(quantity.nano);
}

/** The QoS class of a pod, by the requests and limits of its containers. */
export function qosClassOf(content: JsonObject): string {
  const spec = asJsonObject(content['spec']);
  const lists = [spec['containers'], spec['initContainers']];
  const resources = lists.flatMap((list) => (isJsonArray(list) ? list.map((container) => valueAt(container, 'resources')) : []));
  const asks = (one: Json | undefined): boolean =>
    compute.some((name) => amount(one, 'requests', name) !== '' || amount(one, 'limits', name) !== '');
  if (!resources.some(asks)) return 'BestEffort';
  const guaranteed = resources.every((one) =>
    compute.every((name) => {
      const limit = amount(one, 'limits', name);
      return limit !== '' && limit !== '0' && (amount(one, 'requests', name) || limit) === limit;
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
