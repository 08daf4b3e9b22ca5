import { asJsonObject, asString, isJsonArray, valueAt } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameProblem } from '../write/nameProblem.js';
import { isFilled, itemsOf, portErrors } from './fieldChecks.js';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** An address stays for as long as the service has one. */
function* addressErrors(after: StoredContent, before: StoredContent | undefined): Generator<FieldError, void, undefined> {
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

/** What is wrong with a service. */
export function* serviceErrors(after: StoredContent, before?: StoredContent): Generator<FieldError, void, undefined> {
  yield* addressErrors(after, before);
  const { type = 'ClusterIP', clusterIP, externalName, ports } = asJsonObject(after['spec']);
  if (!types.includes(asString(type))) yield notSupported('spec.type', JSON.stringify(type), types);
  if (type === 'ExternalName' && asString(externalName) === '') yield required('spec.externalName');
  if (!isFilled(ports) && clusterIP !== 'None' && type !== 'ExternalName') yield required('spec.ports');
  const names = new Set<string>();
  const several = isJsonArray(ports) && ports.length > 1;
  for (const [port, at] of itemsOf(ports, 'spec.ports')) {
    const name = asString(port['name']);
    const shown = JSON.stringify(name);
    const problem = nameProblem(name, 'label');
    if (name === '' && several) yield required(`${at}.name`);
    else if (name !== '' && problem !== '') yield invalidValue(`${at}.name`, shown, problem);
    else if (name !== '' && names.has(name)) yield duplicate(`${at}.name`, shown);
    names.add(name);
    yield* portErrors(port['port'] ?? 0, `${at}.port`);
    yield* portErrors(port['targetPort'], `${at}.targetPort`);
  }
}
