import { isJsonObject } from 'rx-informer/internal';
import { printable, printableJson } from './printable.js';
import type { Line } from './line.js';

/** A difference between two versions of an object. An absent value means that the field did not or does not exist. */
export interface Difference {
  /** For example `.status.conditions[Ready].status`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that identify items of lists, in the order in which they are tried. */
const itemKeys = ['name', 'type', 'key', 'uid', 'ip'];

/** The items of a list by an identifying field, if all have one. */
function itemsByKey(list: readonly unknown[], key: string): Fields | undefined {
  const named = list.map((item): [string, unknown] => [isJsonObject(item) && typeof item[key] === 'string' ? item[key] : '', item]);
  const byKey = Object.fromEntries(named);
  return named.every(([name]) => name !== '') && Object.keys(byKey).length === list.length ? byKey : undefined;
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string): Difference[] {
  const at = (key: string): string => `${path}[${key}]`;
  for (const key of itemKeys) {
    const [old, now] = [itemsByKey(before, key), itemsByKey(after, key)];
    if (old !== undefined && now !== undefined) return compareFields(old, now, at);
  }
  return compareFields(Object.fromEntries(before.entries()), Object.fromEntries(after.entries()), at);
}

function compareFields(before: Fields, after: Fields, at: (key: string) => string): Difference[] {
  const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))];
  return keys.flatMap((key): Difference[] => {
    if (!Object.hasOwn(after, key)) return [{ path: at(key), before: before[key] }];
    if (!Object.hasOwn(before, key)) return [{ path: at(key), after: after[key] }];
    return compare(before[key], after[key], at(key));
  });
}

function compare(before: unknown, after: unknown, path: string): Difference[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path);
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ path, before, after }];
  return compareFields(before, after, (key) => (/^[\w$-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`));
}

/** Fields that change with every write. */
const ofEveryWrite = /^\.metadata\.(resourceVersion|managedFields)\b/;

/** The differences between two versions of an object, without fields that change with every write. Items of lists are matched by their identifying field. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  return compare(before, after, '').filter(({ path }) => !ofEveryWrite.test(path));
}

/** Longer values are cut. */
const longest = 200;

function shown(value: unknown): string {
  const text = printableJson(value ?? null);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** A difference for people: `+` for an added field, `-` for a removed one, `~` for a changed one. */
export function differenceLine(difference: Difference): Line {
  const path = printable(difference.path);
  if (!('before' in difference)) return [{ text: `+ ${path}: ${shown(difference.after)}`, style: 'green' }];
  if (!('after' in difference)) return [{ text: `- ${path}: ${shown(difference.before)}`, style: 'red' }];
  const { before, after } = difference;
  return [{ text: `~ ${path}: `, style: 'yellow' }, { text: shown(before), style: 'red' }, ' → ', { text: shown(after), style: 'green' }];
}
