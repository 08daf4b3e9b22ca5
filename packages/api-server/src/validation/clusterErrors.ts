import { asJsonObject, asString, valueAt } from '../json.js';
import { podSecurityLabelErrors } from '../admission/podSecurity.js';
import { duplicate, invalidValue, notSupported, required } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ipErrors } from './addressErrors.js';
import { type Findings, isFilled, itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';
import { listAt } from 'rx-informer/internal';

/** Validation errors of a namespace: its Pod Security labels and its finalizers. */
export function* namespaceErrors(after: StoredContent): Findings {
  yield* podSecurityLabelErrors(after);
  for (const name of listAt(valueAt(after, 'spec', 'finalizers')).map(asString)) yield* qualifiedNameErrors(name, 'spec.finalizers');
}

/** Validation errors of a CertificateSigningRequest. */
export function* signingRequestErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const request = asString(valueAt(after, 'spec', 'request'));
  if (before === undefined && request !== '' && !Buffer.from(request, 'base64').toString().includes('-----BEGIN CERTIFICATE REQUEST-----'))
    yield invalidValue('spec.request', JSON.stringify(request), 'PEM block type must be CERTIFICATE REQUEST');
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
}

/** Validation errors of an EndpointSlice. */
export function* endpointSliceErrors(after: StoredContent): Findings {
  const names = new Set<string>();
  for (const [port, at] of itemsOf(after['ports'], 'ports')) {
    const name = asString(port['name']);
    if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
    names.add(name);
  }
  const isAddress = after['addressType'] === 'IPv4' || after['addressType'] === 'IPv6';
  for (const [endpoint, place] of isAddress ? itemsOf(after['endpoints'], 'endpoints') : [])
    for (const [at, address] of listAt(endpoint['addresses']).map(asString).entries())
      yield* addressErrors(address, `${place}.addresses[${String(at)}]`);
}

/** Validation errors of a PriorityLevelConfiguration. */
export function* priorityLevelErrors(after: StoredContent): Findings {
  const { type, limited } = asJsonObject(after['spec']);
  if (asString(type) === '') yield required('spec.type');
  if (type === 'Limited' && limited === undefined) yield required('spec.limited', 'must not be empty when type is Limited');
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
