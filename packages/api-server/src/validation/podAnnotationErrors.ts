import { asJsonObject, asString, isJsonArray, valueAt, type Json } from '../json.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';
import { itemsOf } from './fieldChecks.js';

const cost = 'controller.kubernetes.io/pod-deletion-cost';
const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const containerArmor = 'container.apparmor.security.beta.kubernetes.io/';

function isSmallNumber(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && Math.abs(Number(text)) <= 2 ** 31 - (text.startsWith('-') ? 0 : 1);
}

const profile = /^(runtime\/default|docker\/default|unconfined|localhost\/.+)$/;

/** Validation errors of the annotations of a pod or template that have a meaning; `path` is that of the annotations. */
export function* podAnnotationErrors(pod: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  const annotations = asJsonObject(valueAt(pod, 'metadata', 'annotations'));
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => {
    const listed = valueAt(pod, 'spec', list);
    return isJsonArray(listed) ? [...itemsOf(listed, '')].map(([container]) => asString(container['name'])) : [];
  });
  for (const [key, said] of Object.entries(annotations)) {
    const value = asString(said);
    const shown = JSON.stringify(value);
    if (key === cost && !isSmallNumber(value)) yield invalidValue(`${path}[${key}]`, shown, 'must be a 32bit integer');
    if ((key === seccomp || key.startsWith(containerSeccomp)) && !profile.test(value))
      yield invalidValue(`${path}.${key}`, shown, 'must be a valid seccomp profile');
    if (!key.startsWith(containerArmor)) continue;
    const name = key.slice(containerArmor.length);
    if (!names.includes(name)) yield invalidValue(`${path}[${key}]`, JSON.stringify(name), 'container not found');
    if (value !== '' && !/^(runtime\/default|unconfined|localhost\/.*)$/.test(value))
      yield invalidValue(`${path}[${key}]`, shown, `invalid AppArmor profile name: ${shown}`);
  }
}
