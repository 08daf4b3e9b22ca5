import { asJsonObject, asString, isJsonArray, type Json } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';
import { itemsOf, qualifiedNameErrors } from './fieldChecks.js';

function nano(value: Json | undefined): bigint | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value))?.nano : undefined;
}

const ofContainers = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/;
const ofQuotas =
  /^((requests\.|limits\.)?(cpu|memory|ephemeral-storage)|pods|services(\.nodeports|\.loadbalancers)?|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims|(requests\.)?storage|(requests\.)?hugepages-.*)$/;

/** Whether a name without a prefix is valid in a quota. */
export function isOfQuotas(name: string): boolean {
  return ofQuotas.test(name) || name.startsWith('count/');
}

/** Validation errors of a resource name. */
export function* standardNameErrors(name: string, path: string): Generator<FieldError, void, undefined> {
  const found = [...qualifiedNameErrors(name, path)];
  yield* found;
  if (found.length === 0 && !name.includes('/') && !ofContainers.test(name) && !isOfQuotas(name))
    yield invalidValue(path, JSON.stringify(name), 'must be a standard resource type or fully qualified');
}

/** Validation errors of the name of a resource that containers can request. */
export function* resourceNameErrors(name: string, path: string): Generator<FieldError, void, undefined> {
  if (!name.includes('/') && !ofContainers.test(name)) yield invalidValue(path, JSON.stringify(name), 'must be a resource for containers');
}

/** Validation errors of a container's resources; `claims` are the resource claims of the pod. */
export function* resourceErrors(value: Json | undefined, path: string, claims?: readonly string[]): Generator<FieldError, void, undefined> {
  const resources = asJsonObject(value);
  const [most, least] = [asJsonObject(resources['limits']), asJsonObject(resources['requests'])];
  for (const name of Object.keys(most)) yield* resourceNameErrors(name, `${path}.limits[${name}]`);
  for (const [name, request] of Object.entries(least)) {
    const place = `${path}.requests[${name}]`;
    yield* resourceNameErrors(name, place);
    const [asked = 0n, limit = asked] = [nano(request), nano(most[name])];
    if (asked < 0n) yield invalidValue(place, JSON.stringify(request), 'must be greater than or equal to 0');
    if (asked > limit) yield invalidValue(`${path}.requests`, JSON.stringify(request), `must be less than or equal to ${name} limit`);
  }
  const known = claims ?? [];
  for (const [claim, at] of claims === undefined || !isJsonArray(resources['claims'])
    ? []
    : itemsOf(resources['claims'], `${path}.claims`)) {
    const name = asString(claim['name']);
    if (!known.includes(name))
      yield {
        reason: 'FieldValueNotFound',
        field: at,
        message: `Not found: ${JSON.stringify(name)}: must be in the resourceClaims of the pod`,
      };
  }
}
