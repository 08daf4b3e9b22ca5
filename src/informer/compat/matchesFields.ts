import type { FieldRequirement } from '../../api/selectors/fieldSelector.js';

/** What a server may read from a field that an object leaves out. */
const zeroValues: ReadonlySet<string> = new Set(['', 'false', '0']);

/** Fields that have another name in selectors. */
const aliases: Readonly<Record<string, string>> = { 'status.successful': 'status.succeeded' };

function valueOf(object: unknown, field: string): unknown {
  const path = (Object.hasOwn(aliases, field) ? aliases[field] : undefined) ?? field;
  let value = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function holds({ field, operator, value: wanted }: FieldRequirement, object: unknown): boolean {
  const value = valueOf(object, field);
  const isText = ['string', 'number', 'boolean'].includes(typeof value);
  // Which of them it is, only the server knows.
  if (!isText && zeroValues.has(wanted)) throw new Error(`Whether an object without ${field} has the value '${wanted}' there is not known`);
  return (isText && String(value) === wanted) === (operator === '=');
}

/**
 * Whether a field selector selects an object, as far as that can be told from the object.
 *
 * @throws Error where only the server can tell.
 */
export function matchesFields(requirements: readonly FieldRequirement[], object: unknown): boolean {
  return requirements.every((requirement) => holds(requirement, object));
}
