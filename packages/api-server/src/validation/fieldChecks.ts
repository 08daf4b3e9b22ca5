import { isIP } from 'node:net';
import { asString, isJsonArray, isJsonObject, jsonEqual, type Json, type JsonObject } from '../json.js';
import { invalidValue, notSupported, type FieldError } from '../status/statusErrors.js';
import { ipErrors } from './addressErrors.js';
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
  if (/^[a-z][a-z0-9]{0,14}$/.test(name)) return right;
  const problems: readonly (readonly [boolean, string])[] = [
    [name.length > 15, 'must be no more than 15 characters'],
    [!/^[-a-z0-9]+$/i.test(name), 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
    [!/[a-z]/.test(name), 'must contain at least one letter (a-z)'],
    [name.includes('--'), 'must not contain consecutive hyphens'],
    [/^-|-$/.test(name), 'must not begin or end with a hyphen'],
  ];
  return problems.filter(([wrong]) => wrong).map(([, problem]) => invalidValue(path, JSON.stringify(name), problem));
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

/** The error of a changed immutable field; `shown` prints its value. */
export function* immutableErrors(
  [before, after]: readonly [Json | undefined, Json | undefined],
  path: string,
  shown: (value: Json | undefined) => string,
): Generator<FieldError, void, undefined> {
  if (!jsonEqual(before, after)) yield invalidValue(path, shown(after), 'field is immutable');
}

const percentProblem =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** The number in a count or percentage; 0 for any other value. */
export function shareOf(value: Json | undefined): number {
  const text = asString(value);
  return typeof value === 'number' ? value : /^\d+%?$/.test(text) ? parseInt(text, 10) : 0;
}

/** Validation errors of a value that must be a count or a percentage. */
export function* shareErrors(value: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  if (typeof value === 'string' && !/^\d+%$/.test(value)) yield invalidValue(path, JSON.stringify(value), percentProblem);
  yield* countErrors(value, path);
}

/** Validation errors of a percentage above 100 %. */
export function* wholeShareErrors(value: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  if (typeof value === 'string' && /^\d+%$/.test(value) && shareOf(value) > 100)
    yield invalidValue(path, JSON.stringify(value), 'must not be greater than 100%');
}

/** Validation errors of a name such as `example.com/controller`. */
export function* prefixedPathErrors(value: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  const text = asString(value);
  if (text === '') return;
  const [, host = '', rest = ''] = /^([^/]*)\/(.*)$/.exec(text) ?? [];
  if (host === '' || rest === '') yield invalidValue(path, JSON.stringify(text), 'must be a domain-prefixed path (such as "acme.io/foo")');
  else yield* nameErrors('subdomain', host, path);
}

/** Validation errors of the addresses that a load balancer is reached at. */
export function* balancerAddressErrors(ingress: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  for (const [one, at] of itemsOf(ingress, path)) {
    const [ip, hostname] = [asString(one['ip']), asString(one['hostname'])];
    if (ip !== '') yield* ipErrors(ip, `${at}.ip`);
    if (hostname !== '') yield* nameErrors('subdomain', hostname, `${at}.hostname`);
    if (isIP(hostname) !== 0) yield invalidValue(`${at}.hostname`, JSON.stringify(hostname), 'must be a DNS name, not an IP address');
  }
}
