import { asJsonObject, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';

/** How long a pod stays on a node that has gone away, unless the pod says so itself. */
const toleratedTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function tolerationsOf(tolerations: Json | undefined): readonly Json[] {
  const known = isJsonArray(tolerations) ? tolerations : [];
  const missing = toleratedTaints.filter((key) => !known.some((one) => (valueAt(one, 'key') ?? '') === '' || valueAt(one, 'key') === key));
  return [...known, ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))];
}

/** A limit asks for as much, where nothing else is asked for. */
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

const priorities: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };

function priorityOf({ priorityClassName, priority }: JsonObject): JsonObject {
  const named = typeof priorityClassName === 'string' && priorityClassName !== '' ? priorities[priorityClassName] : 0;
  const known = priority ?? named;
  return { ...(known !== undefined && { priority: known }) };
}

/** A pod with what the server and its admission fill in. */
export function completePod(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const { containers, initContainers } = spec;
  return {
    ...content,
    spec: {
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      ...spec,
      ...priorityOf(spec),
      ...(containers !== undefined && { containers: withRequests(containers) }),
      ...(initContainers !== undefined && { initContainers: withRequests(initContainers) }),
      tolerations: tolerationsOf(spec['tolerations']),
    },
  };
}

const compute = ['cpu', 'memory'];

function amount(resources: Json | undefined, part: string, name: string): string {
  const value = valueAt(resources, part, name);
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : undefined;
  return quantity === undefined ? '' : String(quantity.nano);
}

/** How safe a pod is from eviction, by what its containers ask for. */
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
