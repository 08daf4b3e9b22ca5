import { resourceName, similarTo } from 'rx-informer/internal';
import type { ServedResource } from '../kinds/servedResource.js';
import type { Fault, FaultType } from './fault.js';
import { faultVerbs, type FaultScope } from './faultScope.js';

/** Returns what was expected of a value; undefined when it is valid. */
type Check = (value: unknown) => string | undefined;

type ChecksOf<T> = { readonly [Name in keyof Required<T>]: Check };

function number(smallest: number, largest = Infinity): Check {
  const range = largest === Infinity ? `at least ${String(smallest)}` : `from ${String(smallest)} to ${String(largest)}`;
  return (value) => (typeof value === 'number' && value >= smallest && value <= largest ? undefined : `a number ${range}`);
}

function oneOf(...allowed: readonly string[]): Check {
  return (value) => (typeof value === 'string' && allowed.includes(value) ? undefined : `one of ${allowed.join(', ')}`);
}

function ofType(type: 'string' | 'boolean' | 'function' | 'object', what: string): Check {
  return (value) => (typeof value === type && value !== null ? undefined : what);
}

const text = ofType('string', 'a text');
const yesOrNo = ofType('boolean', 'true or false');
const pattern: Check = (value) => (typeof value === 'string' || value instanceof RegExp ? undefined : 'a text or a regular expression');
const verbs: Check = (value) => {
  const all: readonly unknown[] = [value].flat();
  const strange = all.find((one) => typeof one !== 'string' || !(faultVerbs as readonly string[]).includes(one));
  if (all.length > 0 && strange === undefined) return undefined;
  return `one or several of ${faultVerbs.join(', ')}${typeof strange === 'string' ? similarTo(strange, faultVerbs).replace(/\?$/, '') : ''}`;
};

function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

const ofScope: ChecksOf<FaultScope> = {
  verb: optional(verbs),
  resource: optional(text),
  namespace: optional(text),
  name: optional(text),
  subresource: optional(text),
  path: optional(pattern),
  userAgent: optional(pattern),
  user: optional(text),
  when: optional(ofType('function', 'a function')),
  skip: optional(number(0)),
  count: optional(number(1)),
  forMs: optional(number(0)),
  probability: optional(number(0, 1)),
  optional: optional(yesOrNo),
};

const ofTypes: { readonly [T in FaultType]: ChecksOf<Omit<Extract<Fault, { readonly type: T }>, keyof FaultScope>> } = {
  answer: {
    type: text,
    code: number(100, 599),
    message: optional(text),
    reason: optional(text),
    retryAfterSeconds: optional(number(0)),
    body: optional(text),
    contentType: optional(text),
  },
  delay: { type: text, ms: number(0) },
  freeze: { type: text, at: oneOf('headers', 'body'), afterBytes: optional(number(0)) },
  cut: {
    type: text,
    at: oneOf('headers', 'body', 'line'),
    afterBytes: optional(number(0)),
    how: optional(oneOf('destroy', 'end')),
    atOnce: optional(yesOrNo),
  },
  drip: { type: text, bytes: number(1), everyMs: number(0) },
  truncate: { type: text, afterBytes: number(0) },
  endWatch: { type: text, errorCode: optional(number(400, 599)), atOnce: optional(yesOrNo) },
  event: {
    type: text,
    action: oneOf('drop', 'repeat', 'delay', 'swap'),
    eventType: optional(oneOf('ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK')),
    ms: optional(number(0)),
  },
  withhold: { type: text, what: oneOf('bookmarks', 'marker', 'annotation') },
  stale: { type: text, snapshot: ofType('object', 'a snapshot of the server') },
  compress: { type: text },
};

function shown(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

/** Faults that apply to watches only. */
const ofWatches: ReadonlySet<FaultType> = new Set(['endWatch', 'event', 'withhold', 'compress']);

/**
 * The name of a resource that no request can have; undefined for a possible name. A group without built-in kinds is possible: a
 * CustomResourceDefinition may create it.
 */
function strangeResource(name: string, known: readonly ServedResource[]): string | undefined {
  const names = known.map(resourceName);
  if (names.includes(name)) return undefined;
  const group = name.slice(name.indexOf('.') + 1);
  const later = name.includes('.') && !known.some((resource) => resource.group === group && resource.custom === undefined);
  return later ? undefined : `a resource that is served, such as pods or deployments.apps${similarTo(name, names).replace(/\?$/, '')}`;
}

/** Why a fault can never strike, with the name of the field that prevents it. */
function neverMatches(fault: Fault, known: readonly ServedResource[]): readonly [keyof FaultScope, string] | undefined {
  const { type, verb, resource, namespace, subresource } = fault;
  if (ofWatches.has(type) && verb !== undefined && ![verb].flat().includes('watch'))
    return ['verb', `watch, since a fault of the type ${type} strikes watches alone`];
  const strange = resource === undefined ? undefined : strangeResource(resource, known);
  if (strange !== undefined) return ['resource', strange];
  const found = known.find((served) => resourceName(served) === resource);
  if (namespace !== undefined && found?.namespaced === false) return ['namespace', `absent, since ${resourceName(found)} have none`];
  const subresources = new Set(['status', 'scale', ...known.flatMap((served) => [...served.subresources])]);
  if (subresource === undefined || subresource === '' || subresources.has(subresource)) return undefined;
  return ['subresource', `a subresource that is served${similarTo(subresource, subresources).replace(/\?$/, '')}`];
}

/**
 * Checks a fault, and that a request for one of the known kinds can match it.
 *
 * @throws TypeError that names the field.
 */
export function checkFault(fault: Fault, known: readonly ServedResource[]): void {
  const problem = (name: string, expected: string, value: unknown): TypeError =>
    new TypeError(`Expected \`${name}\` of a fault to be ${expected}, got ${shown(value)}`);
  const type: unknown = fault.type;
  if (typeof type !== 'string' || !Object.hasOwn(ofTypes, type)) throw problem('type', `one of ${Object.keys(ofTypes).join(', ')}`, type);
  const checks: Readonly<Record<string, Check>> = { ...ofScope, ...ofTypes[fault.type] };
  const fields: Readonly<Record<string, unknown>> = { ...fault };
  for (const [name, check] of Object.entries(checks)) {
    const expected = check(fields[name]);
    if (expected !== undefined) throw problem(name, expected, fields[name]);
  }
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined) {
    const hint = similarTo(unknown, Object.keys(checks));
    throw new TypeError(`Expected no field ${JSON.stringify(unknown)} in a fault of the type ${type}${hint}`);
  }
  const never = neverMatches(fault, known);
  if (never !== undefined) throw problem(never[0], never[1], fault[never[0]]);
}
