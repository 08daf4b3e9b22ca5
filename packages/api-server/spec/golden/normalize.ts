import { golden } from './names.js';

const words: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [new RegExp(`\\b${golden.namespace}\\b`, 'g'), 'NS'],
  [new RegExp(golden.group.replaceAll('.', '\\.'), 'g'), 'GROUP'],
  [/\b\d{2,}\b/g, 'N'],
];

/** Replaces the parts of a text that differ between runs with words in capitals, as in the recordings. */
export function normalizeText(text: string): string {
  return words.reduce((current, [pattern, word]) => current.replace(pattern, word), text);
}

/** A value with all its texts normalized; names that are undefined are left out. */
export function normalize(value: unknown): unknown {
  if (typeof value === 'string') return normalizeText(value);
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [normalizeText(name), normalize(inner)]),
  );
}
