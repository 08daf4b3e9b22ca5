import { isJsonArray, valueAt, type Json } from '../json.js';
import { forbiddenField, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { immutableErrors } from './fieldChecks.js';

/** Immutable fields, by group and plural; the error of a forbidden one does not show its value. */
const fixedFields: Readonly<Record<string, readonly (readonly [path: string, isForbidden?: true])[]>> = {
  'apps/controllerrevisions': [['data']],
  'storage.k8s.io/volumeattributesclasses': [
    ['driverName', true],
    ['parameters', true],
  ],
  'networking.k8s.io/servicecidrs': [['spec.cidrs']],
  'resource.k8s.io/resourceclaims': [['spec']],
  'resource.k8s.io/resourceclaimtemplates': [['spec']],
  'resource.k8s.io/resourceslices': [['spec.pool.name'], ['spec.driver'], ['spec.nodeName']],
};

function shown(value: Json | undefined, path: string): string {
  return JSON.stringify(value ?? (/name$|driver$/i.test(path) ? '' : null));
}

/** Validation errors of changed immutable fields. */
export function* fixedFieldErrors(id: string, after: StoredContent, before: StoredContent): Generator<FieldError, void, undefined> {
  for (const [path, isForbidden] of fixedFields[id] ?? []) {
    const names = path.split('.');
    const [was, is] = [valueAt(before, ...names), valueAt(after, ...names)];
    const found = [...immutableErrors([was, is], path, (value) => shown(value, path))];
    if (isForbidden === true) for (const { field } of found) yield forbiddenField(field, `updates to ${path} are forbidden.`);
    // Lists of equal length are compared item by item.
    else if (isJsonArray(was) && isJsonArray(is) && was.length === is.length)
      for (const [at, item] of is.entries())
        yield* immutableErrors([was[at], item], `${path}[${String(at)}]`, (value) => shown(value, path));
    else yield* found;
  }
}
