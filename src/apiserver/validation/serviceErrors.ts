import { asJsonObject, asString, isJsonArray } from '../json.js';
import { duplicate, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameProblem } from '../write/nameProblem.js';
import { isFilled, itemsOf, portErrors } from './fieldChecks.js';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** What is wrong with a service. */
export function* serviceErrors(after: StoredContent): Generator<FieldError, void, undefined> {
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
