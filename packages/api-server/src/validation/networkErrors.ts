import { isIP } from 'node:net';
import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { cidrErrors, isRange, isWithin } from './addressErrors.js';
import {
  balancerAddressErrors,
  choiceErrors,
  immutableErrors,
  isFilled,
  itemsOf,
  nameErrors,
  portErrors,
  portNameErrors,
  prefixedPathErrors,
} from './fieldChecks.js';
import { labelSelectorErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

const wildcard = '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const wildcardProblem =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' " +
  `and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${wildcard}')`;

function* hostErrors(host: string, place: string): Findings {
  const shown = JSON.stringify(host);
  if (host === '') return;
  if (isIP(host) !== 0) yield invalidValue(place, shown, 'must be a DNS name, not an IP address');
  else if (!host.includes('*')) yield* nameErrors('subdomain', host, place);
  else if (!new RegExp(`^${wildcard}$`).test(host)) yield invalidValue(place, shown, wildcardProblem);
}

/** Validation errors of a reference to an object of any kind. */
function* typedReferenceErrors({ apiGroup, kind, name }: JsonObject, path: string): Findings {
  if (asString(apiGroup) !== '') yield* nameErrors('subdomain', asString(apiGroup), `${path}.apiGroup`);
  for (const [field, value] of Object.entries({ kind, name })) {
    if (asString(value) === '') yield required(`${path}.${field}`);
    else yield* nameErrors('path', asString(value), `${path}.${field}`);
  }
}

/** Validation errors of the backend of an ingress. */
function* backendErrors(backend: JsonObject, path: string): Findings {
  const { resource, service } = backend;
  if (resource !== undefined && service !== undefined) yield invalidValue(path, '""', 'cannot set both resource and service backends');
  else if (resource !== undefined) yield* typedReferenceErrors(asJsonObject(resource), `${path}.resource`);
  else if (service === undefined) yield invalidValue(path, '""', 'resource or service backend is required');
  else {
    const { name, port } = asJsonObject(service);
    if (asString(name) === '') yield required(`${path}.service.name`);
    else yield* nameErrors('label1035', asString(name), `${path}.service.name`);
    const { name: portName, number } = asJsonObject(port);
    const [isNamed, isNumbered] = [asString(portName) !== '', typeof number === 'number' && number !== 0];
    if (isNamed && isNumbered) yield invalidValue(path, '""', 'cannot set both port name & port number');
    else if (isNamed) yield* portNameErrors(asString(portName), `${path}.service.port.name`);
    else if (isNumbered) yield* portErrors(number, `${path}.service.port.number`);
    else yield required(path, 'port name or number is required');
  }
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function* pathErrors(path: JsonObject, place: string): Findings {
  const [type, own] = [asString(path['pathType']), asString(path['path'])];
  const shown = JSON.stringify(own);
  const relative = invalidValue(`${place}.path`, shown, 'must be an absolute path');
  if (type === 'Exact' || type === 'Prefix') {
    if (!own.startsWith('/')) yield relative;
    for (const part of own === '' ? [] : ['//', '/./', '/../', '%2f', '%2F'])
      if (own.includes(part)) yield invalidValue(`${place}.path`, shown, `must not contain '${part}'`);
    for (const end of own === '' ? [] : ['/..', '/.'])
      if (own.endsWith(end)) yield invalidValue(`${place}.path`, shown, `cannot end with '${end}'`);
  } else if (type !== 'ImplementationSpecific') yield notSupported(`${place}.pathType`, JSON.stringify(type), pathTypes);
  else if (own !== '' && !own.startsWith('/')) yield relative;
  yield* backendErrors(asJsonObject(path['backend']), `${place}.backend`);
}

/** Validation errors of an ingress. */
export function* ingressErrors(after: StoredContent): Findings {
  const { rules, defaultBackend, tls } = asJsonObject(after['spec']);
  yield* balancerAddressErrors(valueAt(after, 'status', 'loadBalancer', 'ingress'), 'status.loadBalancer.ingress');
  if (!isFilled(rules) && defaultBackend === undefined)
    yield invalidValue('spec', 'null', 'either `defaultBackend` or `rules` must be specified');
  if (isJsonObject(defaultBackend)) yield* backendErrors(defaultBackend, 'spec.defaultBackend');
  for (const [rule, at] of itemsOf(rules, 'spec.rules')) {
    yield* hostErrors(asString(rule['host']), `${at}.host`);
    for (const [path, place] of itemsOf(valueAt(rule, 'http', 'paths'), `${at}.http.paths`)) yield* pathErrors(path, place);
  }
  for (const [{ hosts }, at] of itemsOf(tls, 'spec.tls'))
    for (const [index, host] of (isJsonArray(hosts) ? hosts : []).entries())
      if (asString(host).includes('*')) yield* hostErrors(asString(host), `${at}.hosts[${String(index)}]`);
      else yield* nameErrors('subdomain', asString(host), `${at}.hosts[${String(index)}]`);
}

const longestController = 250;

/** Validation errors of an IngressClass. */
export function* ingressClassErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { controller, parameters } = asJsonObject(after['spec']);
  if (before !== undefined)
    yield* immutableErrors([valueAt(before, 'spec', 'controller'), controller], 'spec.controller', (value) => JSON.stringify(value ?? ''));
  yield* prefixedPathErrors(controller, 'spec.controller');
  if (asString(controller).length > longestController)
    yield {
      reason: 'FieldValueTooLong',
      field: 'spec.controller',
      message: `Too long: may not be more than ${String(longestController)} bytes`,
    };
  if (!isJsonObject(parameters)) return;
  yield* typedReferenceErrors(parameters, 'spec.parameters');
  const { scope, namespace } = parameters;
  if (scope === 'Namespace' && namespace === undefined)
    yield required('spec.parameters.namespace', "`parameters.scope` is set to 'Namespace'");
  if (scope === 'Cluster' && namespace !== undefined)
    yield forbiddenField('spec.parameters.namespace', "`parameters.scope` is set to 'Cluster'");
  if (scope !== undefined) yield* choiceErrors(scope, ['Cluster', 'Namespace'], 'spec.parameters.scope');
}

function* policyPortErrors(port: JsonObject, at: string): Findings {
  const { protocol, port: own, endPort } = port;
  yield* choiceErrors(protocol, ['TCP', 'UDP', 'SCTP'], `${at}.protocol`);
  if (typeof own === 'string') {
    if (endPort !== undefined)
      yield invalidValue(`${at}.endPort`, String(Number(endPort)), 'may not be specified when `port` is non-numeric');
    yield* portNameErrors(own, `${at}.port`);
  } else if (own === undefined) {
    if (endPort !== undefined)
      yield invalidValue(`${at}.endPort`, String(Number(endPort)), 'may not be specified when `port` is not specified');
  } else {
    yield* portErrors(own, `${at}.port`);
    if (typeof own === 'number' && typeof endPort === 'number' && endPort < own)
      yield invalidValue(`${at}.endPort`, String(own), 'must be greater than or equal to `port`');
    yield* portErrors(endPort, `${at}.endPort`);
  }
}

function* peerErrors(peer: JsonObject, at: string): Findings {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  yield* labelSelectorErrors(podSelector, `${at}.podSelector`);
  yield* labelSelectorErrors(namespaceSelector, `${at}.namespaceSelector`);
  const { cidr, except } = asJsonObject(ipBlock);
  if (ipBlock !== undefined && asString(cidr) === '') yield required(`${at}.ipBlock.cidr`);
  else if (typeof cidr === 'string') yield* cidrErrors(cidr, `${at}.ipBlock.cidr`);
  const whole = asString(cidr);
  for (const [index, one] of (isJsonArray(except) && isRange(whole) ? except : []).entries()) {
    const [range, place] = [asString(one), `${at}.ipBlock.except[${String(index)}]`];
    yield* cidrErrors(range, place);
    if (isRange(range) && !isWithin(range, whole)) yield invalidValue(place, JSON.stringify(range), 'must be a strict subset of `cidr`');
  }
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && ipBlock === undefined) yield required(at, 'must specify a peer');
  else if (selects && ipBlock !== undefined) yield forbiddenField(at, 'may not specify both ipBlock and another peer');
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
  const types = isJsonArray(spec['policyTypes']) ? spec['policyTypes'] : [];
  if (types.length > 2) yield invalidValue('spec.policyTypes', JSON.stringify(types), 'may not specify more than two policyTypes');
  else for (const [at, type] of types.entries()) yield* choiceErrors(type, ['Egress', 'Ingress'], `spec.policyTypes[${String(at)}]`);
}
