import { asJsonObject, asString, isJsonArray, type Json } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import { itemsOf, qualifiedNameErrors } from './fieldChecks.js';

function nano(value: Json | undefined): bigint | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value))?.nano : undefined;
}

/** A quantity as written. */
function textOf(value: Json | undefined): string {
  return typeof value === 'number' ? String(value) : asString(value);
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
  const shown = JSON.stringify(name);
  yield* qualifiedNameErrors(name, path);
  if (name.includes('/')) {
    if (name.startsWith('kubernetes.io/') || name.startsWith('requests.'))
      yield invalidValue(path, shown, `doesn't follow extended resource name standard`);
    return;
  }
  if (!ofContainers.test(name) && !ofQuotas.test(name))
    yield invalidValue(path, shown, 'must be a standard resource type or fully qualified');
  if (!ofContainers.test(name)) yield invalidValue(path, shown, 'must be a standard resource for containers');
}

function isExact(name: string): boolean {
  return name.includes('/') || name.startsWith('hugepages-');
}

/** Validation errors of an amount that must be whole: units, or pages of memory. */
function* amountErrors(name: string, value: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  const amount = nano(value);
  if (amount === undefined) return;
  const shown = textOf(value);
  if (isExact(name) && amount % 1_000_000_000n !== 0n) yield invalidValue(path, JSON.stringify(shown), 'must be an integer');
  const page = name.startsWith('hugepages-') ? nano(name.slice('hugepages-'.length)) : undefined;
  if (page !== undefined && page > 0n && (amount <= 0n || amount % page !== 0n))
    yield invalidValue(path, JSON.stringify(shown), `${shown} is not positive integer multiple of ${name}`);
}

/** Validation errors of a container's resources; `claims` are the resource claims of the pod. */
export function* resourceErrors(value: Json | undefined, path: string, claims?: readonly string[]): Generator<FieldError, void, undefined> {
  const resources = asJsonObject(value);
  const most = asJsonObject(resources['limits']);
  const negative = 'must be greater than or equal to 0';
  for (const [name, limit] of Object.entries(most)) {
    yield* resourceNameErrors(name, `${path}.limits[${name}]`);
    if ((nano(limit) ?? 0n) < 0n) yield invalidValue(`${path}.limits[${name}]`, JSON.stringify(textOf(limit)), negative);
    yield* amountErrors(name, limit, `${path}.limits[${name}]`);
  }
  const least = asJsonObject(resources['requests']);
  let unlimited = false;
  for (const [name, request] of Object.entries(least)) {
    yield* resourceNameErrors(name, `${path}.requests[${name}]`);
    const [asked, limit] = [nano(request), nano(most[name])];
    if (asked !== undefined && asked < 0n) yield invalidValue(`${path}.requests[${name}]`, JSON.stringify(textOf(request)), negative);
    yield* amountErrors(name, request, `${path}.requests[${name}]`);
    if (asked === undefined) continue;
    if (isExact(name) && most[name] === undefined && !unlimited) {
      unlimited = true;
      yield required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    }
    const wrong = `${path}.requests`;
    if (limit !== undefined && isExact(name) && asked !== limit)
      yield invalidValue(wrong, JSON.stringify(textOf(request)), `must be equal to ${name} limit of ${textOf(most[name])}`);
    else if (limit !== undefined && asked > limit)
      yield invalidValue(wrong, JSON.stringify(request), `must be less than or equal to ${name} limit of ${textOf(most[name])}`);
  }
  const names = Object.keys({ ...most, ...least });
  if (names.some((name) => name.startsWith('hugepages-')) && !names.includes('cpu') && !names.includes('memory'))
    yield forbiddenField(path, 'HugePages require cpu or memory');
  const known = claims ?? [];
  for (const [claim, at] of claims === undefined || !isJsonArray(resources['claims'])
    ? []
    : itemsOf(resources['claims'], `${path}.claims`)) {
    const name = asString(claim['name']);
    if (known.includes(name)) continue;
    const detail = `must be one of the names in pod.spec.resourceClaims${known.length === 0 ? ' which is empty' : ''}`;
    yield { reason: 'FieldValueNotFound', field: at, message: `Not found: ${JSON.stringify(name)}: ${detail}` };
  }
}
