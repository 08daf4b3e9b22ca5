import { asJsonObject, asString, textsAt, valueAt, type Json, type JsonObject } from '../json.js';
import { podSecurityLabelErrors } from '../admission/podSecurity.js';
import { invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ipErrors } from './addressErrors.js';
import { isFilled, itemsOf, nameErrors, qualifiedNameErrors, repeatedErrors } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

/** Validation errors of a namespace: its Pod Security labels and its finalizers. */
export function* namespaceErrors(after: StoredContent): Findings {
  yield* podSecurityLabelErrors(after);
  for (const name of textsAt(after, 'spec', 'finalizers')) {
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
  if (signer !== '' && !/^[a-z0-9.-]+\/./.test(signer))
    yield invalidValue('spec.signerName', JSON.stringify(signer), 'must be a domain and a path');
}

/** Why an IP address is not allowed for an endpoint. */
function* addressErrors(ip: string, place: string): Findings {
  yield* ipErrors(ip, place);
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(ip))
    yield invalidValue(place, JSON.stringify(ip), 'may not be unspecified or in the loopback range (127.0.0.0/8, ::1/128)');
}

/** Validation errors of an Endpoints object. */
export function* endpointsErrors(after: StoredContent): Findings {
  for (const [subset, place] of itemsOf(after['subsets'], 'subsets')) {
    if (!isFilled(subset['addresses']) && !isFilled(subset['notReadyAddresses']))
      yield required(place, 'must specify `addresses` or `notReadyAddresses`');
    for (const list of ['addresses', 'notReadyAddresses'])
      for (const [{ ip }, at] of itemsOf(subset[list], `${place}.${list}`)) yield* addressErrors(asString(ip), `${at}.ip`);
  }
  for (const [subset, place] of itemsOf(after['subsets'], 'subsets')) {
    const ports = [...itemsOf(subset['ports'], `${place}.ports`)];
    for (const [port, at] of ports) if (ports.length > 1 && asString(port['name']) === '') yield required(`${at}.name`);
  }
}

/** Validation errors of an EndpointSlice. */
export function* endpointSliceErrors(after: StoredContent): Findings {
  const names = new Set<Json>();
  for (const [port, at] of itemsOf(after['ports'], 'ports')) yield* repeatedErrors(port, at, names);
  const isAddress = after['addressType'] === 'IPv4' || after['addressType'] === 'IPv6';
  for (const [endpoint, place] of isAddress ? itemsOf(after['endpoints'], 'endpoints') : [])
    for (const [at, address] of textsAt(endpoint, 'addresses').entries())
      yield* addressErrors(address, `${place}.addresses[${String(at)}]`);
}

/** Validation errors of a PriorityLevelConfiguration. */
export function* priorityLevelErrors(after: StoredContent): Findings {
  const { type, limited } = asJsonObject(after['spec']);
  if (asString(type) === '') yield required('spec.type');
  if (type === 'Limited' && limited === undefined) yield required('spec.limited', 'must not be empty when type is Limited');
  const { type: response, queuing } = asJsonObject(valueAt(limited, 'limitResponse'));
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
  for (const [rule, at] of itemsOf(valueAt(after, 'spec', 'rules'), 'spec.rules')) {
    if (!isFilled(rule['subjects'])) yield required(`${at}.subjects`, 'subjects must contain at least one value');
    for (const [subject, place] of itemsOf(rule['subjects'], `${at}.subjects`)) yield* flowSubjectErrors(subject, place);
    for (const list of ['resourceRules', 'nonResourceRules'])
      for (const [one, place] of itemsOf(rule[list], `${at}.${list}`)) {
        const own = textsAt(one, 'verbs');
        if (own.some((verb) => verb !== '*' && !verbs.includes(verb))) yield notSupported(`${place}.verbs`, JSON.stringify(own), verbs);
        if (list === 'resourceRules' && one['clusterScope'] !== true && !isFilled(one['namespaces']))
          yield required(`${place}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace');
      }
  }
}

/** Validation errors of the subjects of a binding. */
export function* subjectErrors(after: StoredContent): Findings {
  for (const [subject, place] of itemsOf(after['subjects'], 'subjects')) {
    const [kind, group] = [asString(subject['kind']), asString(subject['apiGroup'])];
    const expected = { User: 'rbac.authorization.k8s.io', Group: 'rbac.authorization.k8s.io', ServiceAccount: '' }[kind];
    if (kind === 'ServiceAccount') yield* nameErrors('subdomain', asString(subject['name']) || 'absent', `${place}.name`);
    if (expected !== undefined && group !== expected) yield notSupported(`${place}.apiGroup`, JSON.stringify(group), [expected]);
    if (subject['kind'] === 'ServiceAccount' && asString(subject['namespace']) === '' && after.metadata.namespace === undefined)
      yield required(`${place}.namespace`);
  }
}
