import { isIP } from 'node:net';
import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { cidrErrors } from './addressErrors.js';
import { isFilled, itemsOf, nameErrors, portErrors, portNameErrors } from './fieldChecks.js';
import { labelSelectorErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** Validation errors of a host name, whose first part may be `*`. */
function hostErrors(host: string, place: string): readonly FieldError[] {
  if (isIP(host) !== 0) return [invalidValue(place, JSON.stringify(host), 'must be a DNS name, not an IP address')];
  return host === '' ? [] : nameErrors('subdomain', host.replace(/^\*\./, ''), place);
}

/** Validation errors of a reference to an object of any kind. */
function* typedReferenceErrors({ kind, name }: JsonObject, path: string): Findings {
  for (const [field, value] of Object.entries({ kind, name })) if (asString(value) === '') yield required(`${path}.${field}`);
}

/** Validation errors of the backend of an ingress. */
function* backendErrors(backend: JsonObject, path: string): Findings {
  const { resource, service } = backend;
  if (resource !== undefined && service !== undefined) yield invalidValue(path, '""', 'cannot set both resource and service backends');
  else if (resource !== undefined) yield* typedReferenceErrors(asJsonObject(resource), `${path}.resource`);
  else {
    const { name: portName, number } = asJsonObject(valueAt(service, 'port'));
    const [isNamed, isNumbered] = [asString(portName) !== '', typeof number === 'number' && number !== 0];
    if (isNamed && isNumbered) yield invalidValue(path, '""', 'cannot set both port name & port number');
    else if (isNamed) yield* portNameErrors(asString(portName), `${path}.service.port.name`);
    else if (service !== undefined && !isNumbered) yield required(path, 'port name or number is required');
  }
}

function* pathErrors({ pathType, path, backend }: JsonObject, place: string): Findings {
  const own = asString(path);
  if (!own.startsWith('/') && (pathType === 'Exact' || pathType === 'Prefix' || own !== ''))
    yield invalidValue(`${place}.path`, JSON.stringify(own), 'must be an absolute path');
  yield* backendErrors(asJsonObject(backend), `${place}.backend`);
}

/** Validation errors of an ingress. */
export function* ingressErrors(after: StoredContent): Findings {
  const { rules, defaultBackend, tls } = asJsonObject(after['spec']);
  if (defaultBackend === undefined && !isFilled(rules))
    yield invalidValue('spec', 'null', 'either `defaultBackend` or `rules` must be specified');
  if (isJsonObject(defaultBackend)) yield* backendErrors(defaultBackend, 'spec.defaultBackend');
  for (const [rule, at] of itemsOf(rules, 'spec.rules')) {
    yield* hostErrors(asString(rule['host']), `${at}.host`);
    for (const [path, place] of itemsOf(valueAt(rule, 'http', 'paths'), `${at}.http.paths`)) yield* pathErrors(path, place);
  }
  for (const [{ hosts }, at] of itemsOf(tls, 'spec.tls'))
    for (const [index, host] of (isJsonArray(hosts) ? hosts : []).entries())
      yield* hostErrors(asString(host), `${at}.hosts[${String(index)}]`);
}

/** Validation errors of an IngressClass. */
export function* ingressClassErrors(after: StoredContent): Findings {
  const { scope, namespace } = asJsonObject(valueAt(after, 'spec', 'parameters'));
  const controller = asString(valueAt(after, 'spec', 'controller'));
  if (controller !== '' && !/^[a-z0-9.-]+\/.{1,200}$/.test(controller))
    yield invalidValue('spec.controller', JSON.stringify(controller), 'must be a domain and a path of at most 250 bytes');
  if (scope === 'Namespace' && namespace === undefined)
    yield required('spec.parameters.namespace', "`parameters.scope` is set to 'Namespace'");
  if (scope === 'Cluster' && namespace !== undefined)
    yield forbiddenField('spec.parameters.namespace', "`parameters.scope` is set to 'Cluster'");
}

function* policyPortErrors({ port, endPort }: JsonObject, at: string): Findings {
  const [place, shown] = [`${at}.endPort`, JSON.stringify(endPort)];
  if (typeof port === 'string') yield* portNameErrors(port, `${at}.port`);
  else yield* portErrors(port, `${at}.port`);
  if (endPort !== undefined && typeof port !== 'number') yield invalidValue(place, shown, 'may only be specified when `port` is a number');
  else if (typeof port === 'number' && Number(endPort) < port) yield invalidValue(place, shown, 'must be greater than or equal to `port`');
}

function* peerErrors(peer: JsonObject, at: string): Findings {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  yield* labelSelectorErrors(podSelector, `${at}.podSelector`);
  yield* labelSelectorErrors(namespaceSelector, `${at}.namespaceSelector`);
  const { cidr, except } = asJsonObject(ipBlock);
  if (asString(cidr) !== '') yield* cidrErrors(asString(cidr), `${at}.ipBlock.cidr`);
  for (const [index, range] of (isJsonArray(except) ? except : []).entries())
    yield* cidrErrors(asString(range), `${at}.ipBlock.except[${String(index)}]`);
  if (ipBlock !== undefined && (podSelector !== undefined || namespaceSelector !== undefined))
    yield forbiddenField(at, 'may not specify both ipBlock and another peer');
}

/** Validation errors of a network policy. */
export function* networkPolicyErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  yield* labelSelectorErrors(spec['podSelector'], 'spec.podSelector');
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    for (const [rule, place] of itemsOf(spec[direction], `spec.${direction}`)) {
      for (const [port, at] of itemsOf(rule['ports'], `${place}.ports`)) yield* policyPortErrors(port, at);
      for (const [peer, at] of itemsOf(rule[peers], `${place}.${peers}`)) yield* peerErrors(peer, at);
    }
}
