import type { Environment, Optional } from '@marcbachmann/cel-js';
import { isEqualJson } from '../../json.js';
import { parseQuantity, quantityProblem } from '../builtIn/quantity.js';
import { isRequestUri } from '../formats.js';
import { findPattern, matchesPattern, patternProblem } from '../patterns.js';
import { addAddresses } from './addresses.js';
import { addAuthorizer } from './authorizer.js';
import { addTexts, shownValue } from './texts.js';
import { addVersions } from './versions.js';

/** A quantity in a rule, in billionths. */
class Quantity {
  readonly nano: bigint;

  constructor(nano: bigint) {
    this.nano = nano;
  }
}

function quantityOf(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new Error(quantityProblem);
  return new Quantity(parsed.nano);
}

const unit = 1_000_000_000n;

function signOf(value: bigint): bigint {
  return value < 0n ? -1n : value > 0n ? 1n : 0n;
}

type Comparable = bigint | number | string;

function isSorted(list: readonly Comparable[]): boolean {
  return list.every((item, at) => at === 0 || (list[at - 1] ?? item) <= item);
}

function extreme(list: readonly Comparable[], name: string, better: (a: Comparable, b: Comparable) => boolean): Comparable {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, item) => (better(item, best) ? item : best), first);
}

function sum(list: readonly (bigint | number)[]): bigint | number {
  return list.reduce<bigint | number>(
    (total, item) => (typeof total === 'bigint' && typeof item === 'bigint' ? total + item : Number(total) + Number(item)),
    0n,
  );
}

function replaced(text: string, from: string, to: string, count = -1n): string {
  const parts = text.split(from);
  const most = count < 0n ? parts.length - 1 : Math.min(Number(count), parts.length - 1);
  return (
    parts.slice(0, most + 1).join(to) +
    parts
      .slice(most + 1)
      .map((part) => from + part)
      .join('')
  );
}

/** A URL in a rule, by its parts as written. */
class Url {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string) {
    const [, scheme = '', host = '', path = '', query = ''] =
      /^(?:([^:/?#]+):)?(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(text) ?? [];
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }
}

function urlOf(text: string): Url {
  if (!isRequestUri(text)) {
    const problem = text === '' ? 'empty url' : 'invalid URI for request';
    throw new Error(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${problem}`);
  }
  return new Url(text);
}

function queryOf({ query }: Url): Readonly<Record<string, readonly string[]>> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, [...parameters.getAll(name)]]));
}

/** The namespace `jsonpatch` in rules. */
class JsonPatch {
  readonly namespace = 'jsonpatch';
}

/** The namespace `sets` in rules. */
class Sets {
  readonly namespace = 'sets';
}

/** The namespace `lists` in rules. */
class Lists {
  readonly namespace = 'lists';
}

/** A duration of the engine. */
interface Duration {
  readonly seconds: bigint;
  readonly nanos: number;
}

type Items = readonly unknown[];

function slice(list: Items, from: bigint, to: bigint): Items {
  if (from < 0n || to < from || to > list.length)
    throw new Error(`cannot slice(${String(from)}, ${String(to)}), list is length ${String(list.length)}`);
  return list.slice(Number(from), Number(to));
}

function unwrapped(list: readonly Optional[]): Items {
  return list.filter((one) => one.hasValue()).map((one) => one.value());
}

/** Whether a value is the zero value of its type. */
function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value)
      ? value.length === 0
      : value instanceof Map
        ? value.size === 0
        : Object.keys(value).length === 0 && value.constructor === Object;
  return value === null || value === '' || value === 0 || value === 0n || value === false;
}

function includes(items: Items, wanted: unknown): boolean {
  return items.some((item) => isEqualJson(item, wanted));
}

function matchedBy(text: string, pattern: string): boolean {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new Error(problem);
  return matchesPattern(pattern, text);
}

/** Adds the functions for lists and optional values. */
function addLists(environment: Environment, optional: typeof Optional): void {
  environment.registerType('kubernetes.Lists', Lists).registerConstant('lists', 'kubernetes.Lists', new Lists());
  const functions: Readonly<Record<string, (...values: never[]) => unknown>> = {
    'list.isSorted(): bool': isSorted,
    'list.sum(): dyn': sum,
    'list.min(): dyn': (list: readonly Comparable[]) => extreme(list, 'min', (a, b) => a < b),
    'list.max(): dyn': (list: readonly Comparable[]) => extreme(list, 'max', (a, b) => a > b),
    'list.indexOf(dyn): int': (list: readonly unknown[], item: unknown) => BigInt(list.indexOf(item)),
    'list.lastIndexOf(dyn): int': (list: readonly unknown[], item: unknown) => BigInt(list.lastIndexOf(item)),
    'list.slice(int, int): list<dyn>': slice,
    'list.sort(): list<dyn>': (list: readonly Comparable[]) => [...list].sort((a, b) => Number(a > b) - Number(a < b)),
    'list.distinct(): list<dyn>': (list: Items) => list.filter((item, at) => !includes(list.slice(0, at), item)),
    'list.flatten(): list<dyn>': (list: Items) => list.flat(),
    'list.flatten(int): list<dyn>': (list: Items, depth: bigint) => list.flat(Number(depth)),
    'list.reverse(): list<dyn>': (list: Items) => [...list].reverse(),
    'list.first(): optional<dyn>': (list: Items) => optional.of(list[0]),
    'list.last(): optional<dyn>': (list: Items) => optional.of(list.at(-1)),
    'list.unwrapOpt(): list<dyn>': unwrapped,
    'kubernetes.Lists.range(int): list<int>': (_: Lists, length: bigint) =>
      Array.from({ length: Number(length) }, (_item, at) => BigInt(at)),
    'OptionalNamespace.ofNonZeroValue(dyn): optional<dyn>': (_: unknown, value: unknown) =>
      isZero(value) ? optional.none() : optional.of(value),
    'OptionalNamespace.unwrap(list): list<dyn>': (_: unknown, list: readonly Optional[]) => unwrapped(list),
  };
  for (const [signature, handler] of Object.entries(functions))
    environment.registerFunction(signature, handler as (...values: unknown[]) => unknown);
}

const conversions: Readonly<Record<string, (...values: never[]) => unknown>> = {
  'int(google.protobuf.Timestamp): int': (time: Date) => BigInt(Math.floor(time.getTime() / 1_000)),
  'int(google.protobuf.Duration): int': ({ seconds, nanos }: Duration) => seconds * 1_000_000_000n + BigInt(nanos),
  'string(google.protobuf.Timestamp): string': shownValue,
  'string(google.protobuf.Duration): string': shownValue,
};

/**
 * Adds the functions that Kubernetes adds to CEL: for strings, lists, sets, regular expressions, quantities, URLs, IP addresses, versions
 * and formats.
 */
export function addLibrary(environment: Environment, optional: typeof Optional): void {
  environment.registerType('kubernetes.Quantity', Quantity).registerType('kubernetes.URL', Url).registerType('kubernetes.Sets', Sets);
  environment.registerConstant('sets', 'kubernetes.Sets', new Sets());
  environment.registerOperator('kubernetes.Quantity == kubernetes.Quantity', (a: Quantity, b: Quantity) => a.nano === b.nano);
  addLists(environment, optional);
  environment.registerType('kubernetes.JsonPatch', JsonPatch).registerConstant('jsonpatch', 'kubernetes.JsonPatch', new JsonPatch());
  for (const add of [addAddresses, addAuthorizer, addVersions]) add(environment);
  addTexts(environment, optional);
  const functions: Readonly<Record<string, (...values: never[]) => unknown>> = {
    ...conversions,
    'string.charAt(int): string': (text: string, at: bigint) => text.charAt(Number(at)),
    'string.replace(string, string): string': (text: string, from: string, to: string) => replaced(text, from, to),
    'string.replace(string, string, int): string': (text: string, from: string, to: string, count: bigint) =>
      replaced(text, from, to, count),
    'string.find(string): string': (text: string, pattern: string) => findPattern(pattern, text, 1)[0] ?? '',
    'string.findAll(string): list<string>': (text: string, pattern: string) => findPattern(pattern, text, Infinity),
    'string.findAll(string, int): list<string>': (text: string, pattern: string, most: bigint) =>
      findPattern(pattern, text, most < 0n ? Infinity : Number(most)),
    'string.matchesPattern(string): bool': matchedBy,
    'quantity(string): kubernetes.Quantity': quantityOf,
    'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.nano < b.nano,
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.nano > b.nano,
    'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) => signOf(a.nano - b.nano),
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) => new Quantity(a.nano + b.nano),
    'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: Quantity, b: Quantity) => new Quantity(a.nano - b.nano),
    'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: Quantity, b: bigint) => new Quantity(a.nano + b * unit),
    'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: Quantity, b: bigint) => new Quantity(a.nano - b * unit),
    'sign(kubernetes.Quantity): int': (a: Quantity) => signOf(a.nano),
    'kubernetes.Quantity.isInteger(): bool': (a: Quantity) => a.nano % unit === 0n,
    'kubernetes.Quantity.asInteger(): int': (a: Quantity) => a.nano / unit,
    'kubernetes.Quantity.asApproximateFloat(): double': (a: Quantity) => Number(a.nano) / Number(unit),
    'kubernetes.JsonPatch.escapeKey(string): string': (_: JsonPatch, key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
    'isURL(string): bool': isRequestUri,
    'url(string): kubernetes.URL': urlOf,
    'kubernetes.URL.getScheme(): string': ({ scheme }: Url) => scheme,
    'kubernetes.URL.getHost(): string': ({ host }: Url) => host,
    'kubernetes.URL.getHostname(): string': ({ host }: Url) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'),
    'kubernetes.URL.getPort(): string': ({ host }: Url) => /:(\d+)$/.exec(host)?.[1] ?? '',
    'kubernetes.URL.getEscapedPath(): string': ({ path }: Url) => path.replace(/[^!-~]+/g, encodeURIComponent),
    'kubernetes.URL.getQuery(): map<string, list<string>>': queryOf,
    'kubernetes.Sets.contains(list, list): bool': (_: Sets, all: Items, some: Items) => some.every((item) => includes(all, item)),
    'kubernetes.Sets.intersects(list, list): bool': (_: Sets, a: Items, b: Items) => a.some((item) => includes(b, item)),
    'kubernetes.Sets.equivalent(list, list): bool': (_: Sets, a: Items, b: Items) =>
      a.every((item) => includes(b, item)) && b.every((item) => includes(a, item)),
  };
  for (const [signature, handler] of Object.entries(functions))
    environment.registerFunction(signature, handler as (...values: unknown[]) => unknown);
}
