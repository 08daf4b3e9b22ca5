import { jsonOfUnread } from './unreadFields.js';

/**
 * The JSON of a value, like `JSON.stringify`, but for any depth: a server sends up to 10,000 levels, and
 * `JSON.stringify` fails at about 3,000. Fields that are unread stay so.
 */
export function jsonTextOf(value: unknown): string {
  try {
    return (typeof value === 'object' && value !== null ? jsonOfUnread(value) : undefined) ?? JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepTextOf(value);
  }
}

/** The next thing to write: text, or a value under its key. */
type Part = string | { readonly key: string; readonly value: unknown };

const left = (value: unknown): boolean => value === undefined || typeof value === 'function' || typeof value === 'symbol';

function deepTextOf(root: unknown): string {
  let text = '';
  const parts: Part[] = [{ key: '', value: root }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = toJson(part.key, part.value);
    if (typeof value !== 'object' || value === null) text += left(value) ? 'null' : JSON.stringify(value);
    else if (Array.isArray(value)) {
      // Unlike `flatMap`, `Array.from` includes holes.
      const elements = Array.from(value, (element: unknown, at): Part[] => [at === 0 ? '[' : ',', { key: String(at), value: element }]);
      pushReversed(parts, value.length === 0 ? ['[]'] : [...elements.flat(), ']']);
    } else {
      const kept = Object.entries(value).filter(([key, own]) => !left(toJson(key, own)));
      const properties = kept.flatMap(([key, own], at): Part[] => [`${at === 0 ? '{' : ','}${JSON.stringify(key)}:`, { key, value: own }]);
      pushReversed(parts, kept.length === 0 ? ['{}'] : [...properties, '}']);
    }
  }
  return text;
}

function toJson(key: string, value: unknown): unknown {
  const converts = typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
  return converts ? (value as { toJSON(key: string): unknown }).toJSON(key) : value;
}

function pushReversed(parts: Part[], more: readonly Part[]): void {
  for (let at = more.length - 1; at >= 0; at -= 1) parts.push(more[at] as Part);
}
