import { isIPv4 } from 'node:net';
import { asJsonObject, asString, isJsonArray, isEqualJson, listAt, valueAt, without, type Json, type JsonObject } from '../json.js';
import { isFilled } from '../validation/fieldChecks.js';
import type { AdmittedRequest } from './servedResource.js';
import { firstNodePort, numberOf, portsOf, ServiceNumbers } from './serviceNumbers.js';
import { invalid, invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';

const exposed = new Set(['NodePort', 'LoadBalancer']);

/** Whether a service is reached from outside of the cluster. */
function isReached({ type, externalIPs }: JsonObject): boolean {
  return exposed.has(asString(type)) || (type === 'ClusterIP' && isFilled(externalIPs));
}

/** A service with its defaults. */
export function completeService(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const type = asString(spec['type']);
  const { sessionAffinityConfig, ...rest } = spec;
  const affine = spec['sessionAffinity'] === 'ClientIP';
  const timed = valueAt(sessionAffinityConfig, 'clientIP', 'timeoutSeconds') !== undefined;
  const balanced = listAt(content, 'status', 'loadBalancer', 'ingress');
  const ingress = balanced.map((one) => (valueAt(one, 'ip') ? { ipMode: 'VIP', ...asJsonObject(one) } : one));
  return {
    ...content,
    ...(type === 'LoadBalancer' && balanced.length > 0 && { status: { ...asJsonObject(content['status']), loadBalancer: { ingress } } }),
    spec: {
      ...(type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
      ...(isReached(spec) && { externalTrafficPolicy: 'Cluster' }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
      ...rest,
      ...(affine && { sessionAffinityConfig: timed ? sessionAffinityConfig : { clientIP: { timeoutSeconds: 10_800 } } }),
    },
  };
}

function addressOf(number: number): string {
  return `10.${[16, 8, 0].map((shift) => String((number >>> shift) & 255)).join('.')}`;
}

const lastNodePort = 32_767;

/** Whether the ports are valid enough to allocate for: validation errors are reported before allocation errors. */
function structurallyFine({ ports }: JsonObject): boolean {
  return isJsonArray(ports) && ports.every((port) => Number(valueAt(port, 'port') ?? 0) > 0);
}

function withNodePorts(ports: readonly Json[], { nodePorts }: ServiceNumbers, given: Set<number>): readonly Json[] {
  return ports.map((port) => (valueAt(port, 'nodePort') ? port : { ...asJsonObject(port), nodePort: nodePorts.free(given) }));
}

/** The IP families of a service, and its family policy. */
function familiesOf(spec: JsonObject): JsonObject {
  if (spec['type'] === 'ExternalName') return {};
  const asked = asString(spec['clusterIP']);
  const { ipFamilyPolicy = asked === 'None' && !isFilled(spec['selector']) ? 'RequireDualStack' : 'SingleStack' } = spec;
  const both = asked === 'None' && ipFamilyPolicy !== 'SingleStack';
  return { ipFamilies: both ? ['IPv4', 'IPv6'] : [asked.includes(':') ? 'IPv6' : 'IPv4'], ipFamilyPolicy };
}

/** Errors of requested addresses and ports that are invalid or taken. */
function problemsOf(spec: JsonObject, uid: string, { addresses, nodePorts }: ServiceNumbers): readonly FieldError[] {
  const asked = spec['clusterIP'] === 'None' || spec['type'] === 'ExternalName' ? '' : asString(spec['clusterIP']);
  const shown = JSON.stringify([asked]);
  const refused = (problem: string): FieldError => invalidValue('spec.clusterIPs', shown, `failed to allocate IP ${asked}: ${problem}`);
  const problems: FieldError[] = [];
  if (isIPv4(asked) && addresses.areTaken(numberOf(asked), uid)) problems.push(refused('provided IP is already allocated'));
  else if (isIPv4(asked) && !asked.startsWith('10.0.0.'))
    problems.push(refused(`the provided IP (${asked}) is not in the valid range. The range of valid IPs is 10.0.0.0/24`));
  for (const [at, port] of portsOf({ spec }).entries()) {
    const number = Number(valueAt(port, 'nodePort') ?? 0);
    const [place, text] = [`spec.ports[${String(at)}].nodePort`, String(number)];
    if (number !== 0 && nodePorts.areTaken(number, uid)) problems.push(invalidValue(place, text, 'provided port is already allocated'));
    else if (number !== 0 && (number < firstNodePort || number > lastNodePort))
      problems.push(invalidValue(place, text, 'provided port is not in the valid range. The range of valid ports is 30000-32767'));
  }
  return problems;
}

/** Allocates the addresses and node ports that a service needs and does not have. */
export function allocateService(content: StoredContent, { store, before }: AdmittedRequest): StoredContent {
  const spec = asJsonObject(content['spec']);
  const type = asString(spec['type']);
  const was = asJsonObject(before?.['spec']);
  const needsAddress = type !== 'ExternalName' && asString(spec['clusterIP']) === '';
  const needsPorts = exposed.has(type) && (type !== 'LoadBalancer' || spec['allocateLoadBalancerNodePorts'] !== false);
  const needsCheck = type === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
  const unchanged = asString(was['clusterIP']) === asString(spec['clusterIP']) && isEqualJson(was['ports'], spec['ports']);
  if (before !== undefined && unchanged && was['type'] === type && !needsCheck) return content;
  const numbers = ServiceNumbers.of(store.bucket('/services'));
  const problems = problemsOf(spec, content.metadata.uid, numbers);
  if (problems.length > 0 && structurallyFine(spec)) throw invalid('Service', '', content.metadata.name, problems);
  const given = new Set(portsOf(content).map((port) => Number(valueAt(port, 'nodePort') ?? 0)));
  const ports = needsPorts ? withNodePorts(portsOf(content), numbers, given) : portsOf(content);
  const address = needsAddress ? addressOf(numbers.addresses.free(new Set())) : asString(spec['clusterIP']);
  const check = Number(spec['healthCheckNodePort'] ?? 0);
  return {
    ...content,
    // The addresses of a load balancer go with it.
    ...(was['type'] === 'LoadBalancer' && type !== 'LoadBalancer' && { status: { loadBalancer: {} } }),
    spec: {
      ...familiesOf(spec),
      ...spec,
      ...(address !== '' && type !== 'ExternalName' && { clusterIP: address, clusterIPs: spec['clusterIPs'] ?? [address] }),
      ...(ports.length > 0 && { ports }),
      ...(needsCheck && { healthCheckNodePort: check === 0 ? numbers.nodePorts.free(given) : check }),
    },
  };
}

const perAddress = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

/** An update that omits allocated addresses and ports keeps them; a change of the type drops those that the new type does not have. */
export function keepAddresses(existing: StoredContent, submitted: StoredContent): StoredContent {
  const was = asJsonObject(existing['spec']);
  const asked = asJsonObject(submitted['spec']);
  const [old, type] = [asString(was['type']), asString(asked['type'])];
  const [wasOpen, isOpen] = [exposed.has(old), exposed.has(type)];
  let spec: JsonObject = asked;
  if (old !== 'ExternalName' && type !== 'ExternalName') {
    const kept = perAddress.filter((name) => asked[name] === undefined && was[name] !== undefined);
    spec = { ...asked, ...Object.fromEntries(kept.map((name) => [name, was[name]])) };
  }
  if (old !== 'ExternalName' && type === 'ExternalName' && asString(asked['clusterIP']) === asString(was['clusterIP']))
    spec = without(spec, ...perAddress);
  const numbersIn = (content: JsonObject): readonly Json[] => portsOf(content).flatMap((port) => valueAt(port, 'nodePort') || []);
  const [had, given] = [numbersIn(existing), numbersIn({ spec })];
  const ports = portsOf({ spec }).map((port) => {
    const known = valueAt(
      portsOf(existing).find((one) => valueAt(one, 'name') === valueAt(port, 'name')),
      'nodePort',
    );
    if (wasOpen && isOpen && known !== undefined && !given.includes(known) && !valueAt(port, 'nodePort'))
      return { ...asJsonObject(port), nodePort: known };
    if (wasOpen && !isOpen && given.every((number) => had.includes(number))) return without(asJsonObject(port), 'nodePort');
    return port;
  });
  if (ports.length > 0) spec = { ...spec, ports };
  if (old === 'LoadBalancer' && type !== 'LoadBalancer')
    for (const name of ['allocateLoadBalancerNodePorts', 'loadBalancerClass'])
      if (isEqualJson(was[name], spec[name])) spec = without(spec, name);
  if (isReached(was) && !isReached(spec) && was['externalTrafficPolicy'] === spec['externalTrafficPolicy'])
    spec = without(spec, 'externalTrafficPolicy');
  if (old === 'LoadBalancer' && (type !== 'LoadBalancer' || spec['externalTrafficPolicy'] !== 'Local'))
    if (was['healthCheckNodePort'] === spec['healthCheckNodePort']) spec = without(spec, 'healthCheckNodePort');
  return { ...submitted, spec };
}
