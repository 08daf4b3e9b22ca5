import { asString, isJsonArray, isJsonObject, isEqualJson, type Json, type JsonObject } from '../json.js';
import { duplicate, invalidValue, notSupported, type FieldError } from '../status/statusErrors.js';
import { nameProblems, qualifiedNameProblems, type NameSyntax } from '../write/nameProblem.js';

// Most values are right, so the checks of single values return lists, which cost less than generators, and for a right value always the same one.
const right: readonly FieldError[] = [];
const noItems: readonly (readonly [JsonObject, string])[] = [];

/** The objects in a list, each with its path; none if the value is not a list. */
export function itemsOf(list: Json | undefined, path: string): readonly (readonly [JsonObject, string])[] {
  if (!isJsonArray(list) || list.length === 0) return noItems;
  const items: (readonly [JsonObject, string])[] = [];
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    if (isJsonObject(item)) items.push([item, `${path}[${String(at)}]`]);
  }
  return items;
}

/** Whether a list has items, or an object has fields. */
export function isFilled(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The error of an item whose name an item before it has. */
export function* repeatedErrors({ name = '' }: JsonObject, at: string, names: Set<Json>): Generator<FieldError, void, undefined> {
  if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
  names.add(name);
}

/** Validation errors of a name with a syntax. */
export function nameErrors(syntax: NameSyntax, name: string, path: string): readonly FieldError[] {
  const problems = nameProblems(name, syntax);
  return problems.length === 0 ? right : problems.map((problem) => invalidValue(path, JSON.stringify(name), problem));
}

/** Validation errors of a name such as `app` or `example.com/app`. */
export function qualifiedNameErrors(name: string, path: string, what?: string): readonly FieldError[] {
  const problems = qualifiedNameProblems(name, what);
  return problems.length === 0 ? right : problems.map((problem) => invalidValue(path, JSON.stringify(name), problem));
}

/** Validation errors of a port number. */
export function portErrors(value: Json | undefined, path: string): readonly FieldError[] {
  if (typeof value !== 'number' || (value >= 1 && value <= 65535)) return right;
  return [invalidValue(path, String(value), 'must be between 1 and 65535, inclusive')];
}

/** Validation errors of a port name. */
export function portNameErrors(name: string, path: string): readonly FieldError[] {
  if (/^(?!-|.*(--|-$))(?=.*[a-z])[-a-z0-9]{1,15}$/.test(name)) return right;
  return [
    invalidValue(path, JSON.stringify(name), 'must be at most 15 letters, digits and single hyphens between them, and contain a letter'),
  ];
}

/** Validation errors of a port given by number or name. */
export function portOrNameErrors(value: Json | undefined, path: string): readonly FieldError[] {
  return typeof value === 'string' ? portNameErrors(value, path) : portErrors(value ?? 0, path);
}

/** Validation errors of a value that must be one of a few. */
export function choiceErrors(value: Json | undefined, allowed: readonly string[], path: string): readonly FieldError[] {
  if (value === undefined || allowed.includes(asString(value))) return right;
  return [notSupported(path, JSON.stringify(value), allowed)];
}

/** Validation errors of a path that must not leave its root. */
export function* descendingPathErrors(file: string, path: string): Generator<FieldError, void, undefined> {
  if (file.startsWith('/')) yield invalidValue(path, JSON.stringify(file), 'must be a relative path');
  if (file.split('/').includes('..')) yield invalidValue(path, JSON.stringify(file), "must not contain '..'");
}

/** Validation errors of a count that must not be negative. */
export function countErrors(value: Json | undefined, path: string): readonly FieldError[] {
  if (typeof value !== 'number' || value >= 0) return right;
  return [invalidValue(path, String(value), 'must be greater than or equal to 0')];
}

/** The error of a changed immutable field. */
export function immutableErrors([before, after]: readonly [Json | undefined, Json | undefined], path: string): readonly FieldError[] {
  return isEqualJson(before, after) ? right : [invalidValue(path, JSON.stringify(after ?? null), 'field is immutable')];
}

/** The number in a count or percentage; 0 for any other value. */
export function shareOf(value: Json | undefined): number {
  const text = asString(value);
  return typeof value === 'number' ? value : /^\d+%?$/.test(text) ? parseInt(text, 10) : 0;
}

/** Validation errors of a value that must be a count or a percentage; `most` is the largest percentage. */
export function shareErrors(value: Json | undefined, path: string, most = 100): readonly FieldError[] {
  if (typeof value !== 'string') return countErrors(value, path);
  if (/^\d+%$/.test(value) && shareOf(value) <= most) return right;
  return [invalidValue(path, JSON.stringify(value), `must be a number or a percentage such as '93%' of at most ${String(most)}%`)];
}
