import { asJsonObject, asString, isJsonArray, valueAt, type Json, type JsonObject } from '../json.js';
import { invalid, invalidValue } from '../status/statusErrors.js';
import { valuesBetween, type OrderedMap } from '../store/orderedMap.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';

const exposed = new Set(['NodePort', 'LoadBalancer']);

/** A service with its defaults; those that have addresses say of which kind they are. */
export function completeService(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const type = asString(spec['type']);
  if (type === 'ExternalName') return { ...content, spec };
  return {
    ...content,
    spec: {
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
      ...(exposed.has(type) && { externalTrafficPolicy: 'Cluster' }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
      ...(spec['clusterIP'] !== undefined && { clusterIPs: [spec['clusterIP']] }),
      ...spec,
    },
  };
}

function portsOf(content: JsonObject): readonly Json[] {
  const ports = valueAt(content, 'spec', 'ports');
  return isJsonArray(ports) ? ports : [];
}

/** The first number from `start` on that is not taken. */
function free(taken: Set<number>, start: number): number {
  let next = start;
  while (taken.has(next)) next += 1;
  taken.add(next);
  return next;
}

function addressOf(number: number): string {
  return `10.${[16, 8, 0].map((shift) => String((number >>> shift) & 255)).join('.')}`;
}

function numberOf(address: string): number {
  return address
    .split('.')
    .slice(1)
    .reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The first addresses are left to services that ask for them. */
const firstAddress = 16;
const firstNodePort = 30_000;

function withNodePorts(ports: readonly Json[], taken: Set<number>): readonly Json[] {
  return ports.map((port) => {
    const known = valueAt(port, 'nodePort');
    return typeof known === 'number' && known !== 0 ? port : { ...asJsonObject(port), nodePort: free(taken, firstNodePort) };
  });
}

/** Gives a service the addresses and ports that it needs and has none of. */
export function allocateService(content: StoredContent, others: OrderedMap<StoredObject>): StoredContent {
  const spec = asJsonObject(content['spec']);
  const type = asString(spec['type']);
  const ports = portsOf(content);
  const needsAddress = type !== 'ExternalName' && asString(spec['clusterIP']) === '';
  const needsPorts = exposed.has(type) && ports.length > 0;
  const asksFor = ports.map((port) => Number(valueAt(port, 'nodePort') ?? 0)).filter((port) => port !== 0);
  const asked = needsAddress || type === 'ExternalName' || spec['clusterIP'] === 'None' ? '' : asString(spec['clusterIP']);
  if (!needsAddress && !needsPorts && asksFor.length === 0 && asked === '') return content;
  const services = [...valuesBetween(others)].map((service) => service.content);
  const addresses = new Set(services.map((service) => numberOf(asString(valueAt(service, 'spec', 'clusterIP')))));
  const nodePorts = new Set(services.flatMap((service) => portsOf(service).map((port) => Number(valueAt(port, 'nodePort') ?? 0))));
  const problems = [
    ...(asked !== '' && services.some((service) => valueAt(service, 'spec', 'clusterIP') === asked)
      ? [invalidValue('spec.clusterIPs', JSON.stringify([asked]), `failed to allocate IP ${asked}: provided IP is already allocated`)]
      : []),
    ...ports.flatMap((port, at) => {
      const number = Number(valueAt(port, 'nodePort') ?? 0);
      if (number === 0 || !nodePorts.has(number)) return [];
      return [invalidValue(`spec.ports[${String(at)}].nodePort`, String(number), 'provided port is already allocated')];
    }),
  ];
  if (problems.length > 0) throw invalid('Service', '', content.metadata.name, problems);
  const address = addressOf(needsAddress ? free(addresses, firstAddress) : 0);
  return {
    ...content,
    spec: {
      ...spec,
      ...(needsAddress && { clusterIP: address, clusterIPs: [address] }),
      ...(needsPorts && { ports: withNodePorts(ports, nodePorts) }),
    },
  };
}

/** A service keeps the addresses that an update does not mention. */
export function keepAddresses(existing: StoredContent, submitted: StoredContent): StoredContent {
  const { clusterIP, clusterIPs } = asJsonObject(existing['spec']);
  const spec = asJsonObject(submitted['spec']);
  if (clusterIP === undefined || spec['clusterIP'] !== undefined || spec['type'] === 'ExternalName') return submitted;
  return { ...submitted, spec: { ...spec, clusterIP, clusterIPs } };
}
