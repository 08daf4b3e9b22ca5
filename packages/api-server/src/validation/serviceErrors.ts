import { asJsonObject, asString, isJsonArray, valueAt, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ipErrors } from './addressErrors.js';
import {
  balancerAddressErrors,
  choiceErrors,
  isFilled,
  itemsOf,
  nameErrors,
  portErrors,
  portNameErrors,
  qualifiedNameErrors,
} from './fieldChecks.js';
import { labelErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** Validation errors of a changed cluster IP: it is immutable while the type needs one. */
function* addressErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const [was, is] = [asJsonObject(before?.['spec']), asJsonObject(after['spec'])];
  const [old, now] = [asString(was['clusterIP']), asString(is['clusterIP'])];
  if (old !== '' && now !== old && was['type'] !== 'ExternalName' && is['type'] !== 'ExternalName')
    yield invalidValue('spec.clusterIPs[0]', JSON.stringify([now]), 'may not change once set');
  const type = asString(is['type']);
  if (now === 'None' && (type === 'NodePort' || type === 'LoadBalancer'))
    yield invalidValue('spec.clusterIPs[0]', '"None"', `may not be set to 'None' for ${type} services`);
  if (before !== undefined && type !== 'LoadBalancer' && isFilled(valueAt(after, 'status', 'loadBalancer', 'ingress')))
    yield forbiddenField('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'");
  else yield* balancerAddressErrors(valueAt(after, 'status', 'loadBalancer', 'ingress'), 'status.loadBalancer.ingress');
}

/** Validation errors of the ports of a service. */
function* servicePortErrors({ type, clusterIP, ports }: JsonObject): Findings {
  const names = new Set<string>();
  const numbers = new Set<string>();
  const several = isJsonArray(ports) && ports.length > 1;
  for (const [port, at] of itemsOf(ports, 'spec.ports')) {
    const { port: own, targetPort, protocol, appProtocol, nodePort } = port;
    const name = asString(port['name']);
    const shown = JSON.stringify(name);
    if (name === '' && several) yield required(`${at}.name`);
    else if (name !== '') {
      const problems = [...nameErrors('label', name, `${at}.name`)];
      yield* problems;
      if (names.has(name)) yield duplicate(`${at}.name`, shown);
    }
    names.add(name);
    yield* portErrors(own ?? 0, `${at}.port`);
    yield* choiceErrors(protocol, ['SCTP', 'TCP', 'UDP'], `${at}.protocol`);
    if (typeof targetPort === 'string') yield* portNameErrors(targetPort, `${at}.targetPort`);
    else yield* portErrors(targetPort, `${at}.targetPort`);
    if (asString(appProtocol) !== '') yield* qualifiedNameErrors(asString(appProtocol), `${at}.appProtocol`);
    const same = `${asString(protocol)} ${JSON.stringify(own)}`;
    if (numbers.has(same) && (clusterIP !== undefined || type === 'ExternalName')) yield duplicate(at, shownPort(port));
    numbers.add(same);
    if (type === 'ClusterIP' && typeof nodePort === 'number' && nodePort !== 0)
      yield forbiddenField(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'");
  }
}

/** The identity of a port, as Go prints it. */
function shownPort({ protocol, port }: JsonObject): string {
  return JSON.stringify({ Name: '', Protocol: protocol ?? '', AppProtocol: null, Port: port ?? 0, TargetPort: 0, NodePort: 0 });
}

const affinities = ['ClientIP', 'None'];

/** Validation errors of the traffic policies and session affinity of a service. */
function* trafficErrors(spec: JsonObject): Findings {
  const { type, sessionAffinity, sessionAffinityConfig, externalTrafficPolicy, internalTrafficPolicy } = spec;
  yield* labelErrors(spec['selector'], 'spec.selector');
  yield* choiceErrors(sessionAffinity, affinities, 'spec.sessionAffinity');
  const seconds = valueAt(sessionAffinityConfig, 'clientIP', 'timeoutSeconds');
  if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined)
    yield forbiddenField('spec.sessionAffinityConfig', 'must not be set when session affinity is None');
  if (sessionAffinity === 'ClientIP' && typeof seconds === 'number' && (seconds <= 0 || seconds > 86_400))
    yield invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', String(seconds), 'must be greater than 0 and less than 86400');
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && isFilled(spec['externalIPs']));
  if (asString(externalTrafficPolicy) !== '') {
    if (!isExternal)
      yield invalidValue(
        'spec.externalTrafficPolicy',
        JSON.stringify(externalTrafficPolicy),
        'may only be set for externally-accessible services',
      );
    else yield* choiceErrors(externalTrafficPolicy, ['Cluster', 'Local'], 'spec.externalTrafficPolicy');
  }
  yield* choiceErrors(internalTrafficPolicy, ['Cluster', 'Local'], 'spec.internalTrafficPolicy');
}

/** Validation errors of fields that only load balancers have. */
function* balancerErrors(spec: JsonObject): Findings {
  const { type, loadBalancerSourceRanges: ranges, loadBalancerClass, healthCheckNodePort: health } = spec;
  const elsewhere = "may only be used when `type` is 'LoadBalancer'";
  const isBalancer = type === 'LoadBalancer';
  if (isFilled(ranges) && !isBalancer) yield forbiddenField('spec.LoadBalancerSourceRanges', elsewhere);
  if (!isBalancer && spec['allocateLoadBalancerNodePorts'] !== undefined)
    yield forbiddenField('spec.allocateLoadBalancerNodePorts', elsewhere);
  if (asString(loadBalancerClass) !== '') {
    if (isBalancer) yield* qualifiedNameErrors(asString(loadBalancerClass), 'spec.loadBalancerClass');
    else yield forbiddenField('spec.loadBalancerClass', elsewhere);
  }
  if (typeof health === 'number' && health !== 0 && (!isBalancer || spec['externalTrafficPolicy'] !== 'Local'))
    yield invalidValue(
      'spec.healthCheckNodePort',
      String(health),
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    );
}

/** Validation errors of the IP families of a service. */
function* familyErrors({ type, ipFamilies, ipFamilyPolicy, externalIPs }: JsonObject): Findings {
  for (const [at, address] of (isJsonArray(externalIPs) ? externalIPs : []).entries())
    yield* ipErrors(asString(address), `spec.externalIPs[${String(at)}]`);
  if (type === 'ExternalName') return;
  for (const [at, family] of (isJsonArray(ipFamilies) ? ipFamilies : []).entries())
    yield* choiceErrors(family, ['IPv4', 'IPv6'], `spec.ipFamilies[${String(at)}]`);
  yield* choiceErrors(ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack'], 'spec.ipFamilyPolicy');
}

/** Validation errors of a service. */
export function* serviceErrors(after: StoredContent, before?: StoredContent): Findings {
  yield* addressErrors(after, before);
  const spec = asJsonObject(after['spec']);
  const { type = 'ClusterIP', clusterIP, externalName, ports } = spec;
  const host = asString(externalName).replace(/\.$/, '');
  if (type === 'ExternalName') {
    if (host === '') yield required('spec.externalName');
    else yield* nameErrors('subdomain', host, 'spec.externalName');
  }
  if (!isFilled(ports) && clusterIP !== 'None' && type !== 'ExternalName') yield required('spec.ports');
  yield* servicePortErrors(spec);
  yield* trafficErrors(spec);
  yield* familyErrors(spec);
  yield* choiceErrors(type, types, 'spec.type');
  yield* balancerErrors(spec);
}
