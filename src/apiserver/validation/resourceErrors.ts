import { asJsonObject, asString, type Json } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';

function nano(value: Json | undefined): bigint | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value))?.nano : undefined;
}

/** A quantity as it is written. */
function textOf(value: Json | undefined): string {
  return typeof value === 'number' ? String(value) : asString(value);
}

/** What is wrong with what a container asks for. */
export function* resourceErrors(value: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  const { requests, limits } = asJsonObject(value);
  const most = asJsonObject(limits);
  for (const [name, request] of Object.entries(asJsonObject(requests))) {
    const [asked, limit] = [nano(request), nano(most[name])];
    if (asked !== undefined && asked < 0n)
      yield invalidValue(`${path}.requests[${name}]`, JSON.stringify(asString(request)), 'must be greater than or equal to 0');
    if (asked !== undefined && limit !== undefined && asked > limit)
      yield invalidValue(
        `${path}.requests`,
        JSON.stringify(request),
        `must be less than or equal to ${name} limit of ${textOf(most[name])}`,
      );
  }
}
