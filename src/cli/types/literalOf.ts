import { printableJson } from '../output/printable.js';

/** A value as TypeScript: texts between quotes, and nothing in them that a terminal or a compiler would act on. */
export function literalOf(value: unknown): string {
  const json = printableJson(value);
  return typeof value !== 'string' || value.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}
