import type { Fault, FaultType } from './fault.js';
import type { FaultScope } from './faultScope.js';

/** Says what is expected of a value that is something else; undefined when it is right. */
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
const texts: Check = (value) =>
  [value].flat().every((one) => typeof one === 'string') && [value].flat().length > 0 ? undefined : 'a text or several';

function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

const ofScope: ChecksOf<FaultScope> = {
  verb: optional(texts),
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

/**
 * Checks a fault.
 *
 * @throws TypeError that names the field.
 */
export function checkFault(fault: Fault): void {
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
  if (unknown !== undefined) throw new TypeError(`Expected no field ${JSON.stringify(unknown)} in a fault of the type ${type}`);
}
