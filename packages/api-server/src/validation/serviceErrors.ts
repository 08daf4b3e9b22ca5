import { asJsonObject, asString, isJsonArray, valueAt, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ipErrors } from './addressErrors.js';
import { isFilled, itemsOf, nameErrors, portErrors, portNameErrors } from './fieldChecks.js';
import { labelErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

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
}

/** Validation errors of the ports of a service. */
function* servicePortErrors({ type, clusterIP, ports }: JsonObject): Findings {
  const names = new Set<string>();
  const numbers = new Set<string>();
  const several = isJsonArray(ports) && ports.length > 1;
  for (const [port, at] of itemsOf(ports, 'spec.ports')) {
    const { port: own, targetPort, protocol, nodePort } = port;
    const name = asString(port['name']);
    if (name === '' && several) yield required(`${at}.name`);
    else if (name !== '' && names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
    names.add(name);
    if (typeof targetPort === 'string') yield* portNameErrors(targetPort, `${at}.targetPort`);
    else yield* portErrors(targetPort, `${at}.targetPort`);
    const same = `${asString(protocol)} ${JSON.stringify(own)}`;
    if (numbers.has(same) && (clusterIP !== undefined || type === 'ExternalName'))
      yield duplicate(at, JSON.stringify({ protocol, port: own }));
    numbers.add(same);
    if (type === 'ClusterIP' && typeof nodePort === 'number' && nodePort !== 0)
      yield forbiddenField(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'");
  }
}

/** Validation errors of the traffic policies and session affinity of a service. */
function* trafficErrors(spec: JsonObject): Findings {
  const { type, sessionAffinity, sessionAffinityConfig } = spec;
  yield* labelErrors(spec['selector'], 'spec.selector');
  const seconds = valueAt(sessionAffinityConfig, 'clientIP', 'timeoutSeconds');
  if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined)
    yield forbiddenField('spec.sessionAffinityConfig', 'must not be set when session affinity is None');
  if (sessionAffinity === 'ClientIP' && typeof seconds === 'number' && (seconds <= 0 || seconds > 86_400))
    yield invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', String(seconds), 'must be greater than 0 and less than 86400');
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && isFilled(spec['externalIPs']));
  const policy = asString(spec['externalTrafficPolicy']);
  if (policy !== '' && !isExternal)
    yield invalidValue('spec.externalTrafficPolicy', JSON.stringify(policy), 'may only be set for externally-accessible services');
}

/** Validation errors of fields that only load balancers have. */
function* balancerErrors(spec: JsonObject): Findings {
  if (spec['type'] === 'LoadBalancer') return;
  for (const name of ['loadBalancerSourceRanges', 'allocateLoadBalancerNodePorts', 'loadBalancerClass'])
    if (spec[name] !== undefined && (!isJsonArray(spec[name]) || isFilled(spec[name])))
      yield forbiddenField(`spec.${name.replace('loadBalancerS', 'LoadBalancerS')}`, "may only be used when `type` is 'LoadBalancer'");
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
  for (const [at, address] of (isJsonArray(spec['externalIPs']) ? spec['externalIPs'] : []).entries())
    yield* ipErrors(asString(address), `spec.externalIPs[${String(at)}]`);
  yield* balancerErrors(spec);
}
