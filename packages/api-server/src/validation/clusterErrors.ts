import { isIP } from 'node:net';
import { asJsonObject, asString, isJsonArray, valueAt, type Json, type JsonObject } from '../json.js';
import { podSecurityLabelErrors } from '../admission/podSecurity.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ipErrors, isAddress } from './addressErrors.js';
import { immutableErrors, isFilled, itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

function textsOf(value: Json | undefined): readonly string[] {
  return isJsonArray(value) ? value.map(asString) : [];
}

/** Validation errors of a namespace: its Pod Security labels and its finalizers. */
export function* namespaceErrors(after: StoredContent): Findings {
  yield* podSecurityLabelErrors(after);
  const phase = valueAt(after, 'status', 'phase');
  if (phase !== undefined && phase !== 'Active' && after.metadata.deletionTimestamp === undefined)
    yield invalidValue('status.Phase', JSON.stringify(phase), "may only be 'Active' if `deletionTimestamp` is empty");
  for (const name of textsOf(valueAt(after, 'spec', 'finalizers'))) {
    yield* qualifiedNameErrors(name, 'spec.finalizers');
    if (!name.includes('/') && name !== 'kubernetes')
      yield invalidValue('spec.finalizers', JSON.stringify(name), 'name is neither a standard finalizer name nor is it fully qualified');
  }
}

/** Validation errors of a CertificateSigningRequest. */
export function* signingRequestErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const request = asString(valueAt(after, 'spec', 'request'));
  if (before === undefined && request !== '' && !Buffer.from(request, 'base64').toString().includes('-----BEGIN CERTIFICATE REQUEST-----'))
    yield invalidValue('spec.request', JSON.stringify(request), 'PEM block type must be CERTIFICATE REQUEST');
  const signer = asString(valueAt(after, 'spec', 'signerName'));
  if (signer !== '' && !/^[^/]+\/./.test(signer))
    yield invalidValue(
      'spec.signerName',
      JSON.stringify(signer),
      "must be a fully qualified domain and path of the form 'example.com/signer-name'",
    );
  const seconds = valueAt(after, 'spec', 'expirationSeconds');
  if (typeof seconds === 'number' && seconds < 600)
    yield invalidValue('spec.expirationSeconds', String(seconds), 'may not specify a duration less than 600 seconds (10 minutes)');
}

/** Why an IP address is not allowed for an endpoint. */
function* addressErrors(ip: string, place: string): Findings {
  const shown = JSON.stringify(ip);
  const wrong = [...ipErrors(ip, place)];
  yield* wrong;
  if (wrong.length > 0) return;
  if (ip === '0.0.0.0' || ip === '::') yield invalidValue(place, shown, `may not be unspecified (${ip})`);
  else if (/^127\.|^::1$/.test(ip)) yield invalidValue(place, shown, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  else if (/^169\.254\.|^fe80:/i.test(ip))
    yield invalidValue(place, shown, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  else if (/^224\.0\.0\.|^ff02:/i.test(ip))
    yield invalidValue(place, shown, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

/** Validation errors of an Endpoints object. */
export function* endpointsErrors(after: StoredContent): Findings {
  for (const [subset, place] of itemsOf(after['subsets'], 'subsets')) {
    if (!isFilled(subset['addresses']) && !isFilled(subset['notReadyAddresses']))
      yield required(place, 'must specify `addresses` or `notReadyAddresses`');
    for (const list of ['addresses', 'notReadyAddresses'])
      for (const [address, at] of itemsOf(subset[list], `${place}.${list}`)) {
        const ip = asString(address['ip']);
        yield* addressErrors(ip, `${at}.ip`);
        // Both checks of the API server report an invalid address.
        if (!isAddress(ip)) yield invalidValue(`${at}.ip`, JSON.stringify(ip), 'must be a valid IP address');
      }
  }
  for (const [subset, place] of itemsOf(after['subsets'], 'subsets')) {
    const ports = [...itemsOf(subset['ports'], `${place}.ports`)];
    for (const [port, at] of ports) if (ports.length > 1 && asString(port['name']) === '') yield required(`${at}.name`);
  }
}

/** Validation errors of an EndpointSlice. */
export function* endpointSliceErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const type = asString(after['addressType']);
  if (before !== undefined)
    yield* immutableErrors([before['addressType'], after['addressType']], 'addressType', (value) => JSON.stringify(value ?? ''));
  for (const [endpoint, place] of itemsOf(after['endpoints'], 'endpoints')) {
    const zones = new Set<string>();
    for (const [zone, at] of itemsOf(valueAt(endpoint, 'hints', 'forZones'), `${place}.hints.forZones`)) {
      const name = asString(zone['name']);
      if (zones.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
      zones.add(name);
    }
  }
  const names = new Set<string>();
  for (const [port, at] of itemsOf(after['ports'], 'ports')) {
    const name = asString(port['name']);
    if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
    names.add(name);
    if (asString(port['appProtocol']) !== '') yield* qualifiedNameErrors(asString(port['appProtocol']), `${at}.appProtocol`);
  }
  for (const [endpoint, place] of itemsOf(after['endpoints'], 'endpoints'))
    for (const [at, address] of textsOf(endpoint['addresses']).entries())
      if (type === 'IPv4' || type === 'IPv6') {
        const family = isIP(address);
        const mapped = /^::ffff:\d+\./i.test(address);
        if (family !== 0 && !mapped && type !== `IPv${String(family)}`)
          yield invalidValue(`${place}.addresses`, JSON.stringify(address), `must be an ${type} address`);
        yield* addressErrors(address, `${place}.addresses[${String(at)}]`);
      } else if (type === 'FQDN') yield* nameErrors('subdomain', address, `${place}.addresses[${String(at)}]`);
}

/** Validation errors of a PriorityLevelConfiguration. */
export function* priorityLevelErrors(after: StoredContent): Findings {
  const { type, limited } = asJsonObject(after['spec']);
  if (asString(type) === '') yield required('spec.type');
  if (type === 'Limited' && limited === undefined) yield required('spec.limited', 'must not be empty when type is Limited');
  const { type: response, queuing } = asJsonObject(valueAt(limited, 'limitResponse'));
  const { queues = 64, handSize = 8, queueLengthLimit = 50 } = asJsonObject(queuing);
  const path = 'spec.limited.limitResponse.queuing';
  if (queuing !== undefined && Number(handSize) > Number(queues))
    yield invalidValue(`${path}.handSize`, String(Number(handSize)), `should not be greater than queues (${String(Number(queues))})`);
  if (Number(queueLengthLimit) <= 0) yield invalidValue(`${path}.queueLengthLimit`, String(Number(queueLengthLimit)), 'must be positive');
  if (response === 'Reject' && queuing !== undefined)
    yield forbiddenField(path, 'must be nil if limited.limitResponse.type is not Limited');
  if (response === 'Queue' && queuing === undefined)
    yield required('spec.limited.limitResponse.queuing', 'must not be empty if limited.limitResponse.type is Limited');
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function* flowSubjectErrors(subject: JsonObject, at: string): Findings {
  const kind = asString(subject['kind']);
  const field = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' }[kind];
  if (field !== undefined && subject[field] === undefined)
    yield required(`${at}.${field}`, `${field} is required when subject kind is '${kind}'`);
}

/** Validation errors of a FlowSchema. */
export function* flowSchemaErrors(after: StoredContent): Findings {
  const { matchingPrecedence: precedence, distinguisherMethod, rules } = asJsonObject(after['spec']);
  if (typeof precedence === 'number' && precedence > 10_000)
    yield invalidValue('spec.matchingPrecedence', String(precedence), 'must not be greater than 10000');
  for (const [rule, at] of itemsOf(rules, 'spec.rules')) {
    if (!isFilled(rule['subjects'])) yield required(`${at}.subjects`, 'subjects must contain at least one value');
    for (const [subject, place] of itemsOf(rule['subjects'], `${at}.subjects`)) yield* flowSubjectErrors(subject, place);
    for (const list of ['resourceRules', 'nonResourceRules'])
      for (const [one, place] of itemsOf(rule[list], `${at}.${list}`)) {
        const own = textsOf(one['verbs']);
        if (own.some((verb) => verb !== '*' && !verbs.includes(verb))) yield notSupported(`${place}.verbs`, JSON.stringify(own), verbs);
        if (list === 'resourceRules' && one['clusterScope'] !== true && !isFilled(one['namespaces']))
          yield required(`${place}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace');
      }
  }
  const method = asString(valueAt(distinguisherMethod, 'type'));
  if (method !== '' && method !== 'ByNamespace' && method !== 'ByUser')
    yield notSupported('spec.distinguisherMethod.type', JSON.stringify({ Type: method }), ['ByNamespace', 'ByUser']);
}

/** Validation errors of the subjects of a binding. */
export function* subjectErrors(after: StoredContent): Findings {
  for (const [subject, place] of itemsOf(after['subjects'], 'subjects')) {
    const [kind, name, group] = [asString(subject['kind']), asString(subject['name']), asString(subject['apiGroup'])];
    const expected = { User: 'rbac.authorization.k8s.io', Group: 'rbac.authorization.k8s.io', ServiceAccount: '' }[kind];
    if (kind === 'ServiceAccount' && name !== '') yield* nameErrors('subdomain', name, `${place}.name`);
    if (expected !== undefined && group !== expected) yield notSupported(`${place}.apiGroup`, JSON.stringify(group), [expected]);
    if (subject['kind'] === 'ServiceAccount' && asString(subject['namespace']) === '' && after.metadata.namespace === undefined)
      yield required(`${place}.namespace`);
  }
}
