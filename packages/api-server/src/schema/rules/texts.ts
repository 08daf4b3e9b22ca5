import type { Environment, Optional } from '@marcbachmann/cel-js';
import { nameProblems, qualifiedNameProblems, type NameSyntax } from '../../write/nameProblem.js';
import { hasFormat } from '../formats.js';

type Check = (text: string) => readonly string[];

/** A named format in a rule. */
class NamedFormat {
  readonly check: Check;

  constructor(check: Check) {
    this.check = check;
  }
}

/** The namespace `format` in rules. */
class Formats {
  readonly namespace = 'format';
}

/** The namespace `strings` in rules. */
class Strings {
  readonly namespace = 'strings';
}

const named =
  (syntax: NameSyntax, part = false): Check =>
  (text) =>
    nameProblems(text, syntax, part);
const formatted =
  (format: string, problem: string): Check =>
  (text) =>
    hasFormat(text, format) === false ? [problem] : [];

const checks: Readonly<Record<string, Check>> = {
  dns1123Label: named('label'),
  dns1123Subdomain: named('subdomain'),
  dns1035Label: named('label1035'),
  dns1123LabelPrefix: named('label', true),
  dns1123SubdomainPrefix: named('subdomain', true),
  dns1035LabelPrefix: named('label1035', true),
  qualifiedName: (text) => qualifiedNameProblems(text, 'a qualified name'),
  labelValue: named('labelValue'),
  uri: (text) => (hasFormat(text, 'uri') === false ? [`parse ${JSON.stringify(text)}: invalid URI for request`] : []),
  uuid: formatted('uuid', 'does not match the UUID format'),
  byte: formatted('byte', 'invalid base64'),
  date: formatted('date', 'invalid date'),
  datetime: formatted('datetime', 'invalid datetime'),
};

function scientific(value: number, digits: number): string {
  return value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A number of seconds as Go writes it. */
function secondsOf(value: { readonly seconds: bigint; readonly nanos: number }): string {
  const fraction = String(value.nanos).padStart(9, '0').replace(/0+$/, '');
  return `${String(value.seconds)}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** A value as `string()` and `format` write it. */
export function shownValue(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return value.toISOString().replace(/\.?0*Z$/, 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`;
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return `${value as bigint}`;
  if ('seconds' in value && 'nanos' in value) return secondsOf(value as Parameters<typeof secondsOf>[0]);
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value);
  return `{${entries
    .map(([key, inner]) => `${shownValue(key)}: ${shownValue(inner)}`)
    .sort()
    .join(', ')}}`;
}

function inBase(value: unknown, base: 2 | 8 | 16): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'boolean') return value ? '1' : '0';
  return BigInt(shownValue(value)).toString(base);
}

function clause(mark: string, digits: string | undefined, value: unknown): string {
  const precision = digits === undefined ? 6 : Number(digits);
  if (mark === 's') return shownValue(value);
  if (mark === 'd') return shownValue(value);
  if (mark === 'f') return Number(value).toFixed(precision);
  if (mark === 'e') return scientific(Number(value), precision);
  if (mark === 'b') return inBase(value, 2);
  if (mark === 'o') return inBase(value, 8);
  return mark === 'x' ? inBase(value, 16) : inBase(value, 16).toUpperCase();
}

/** A format string with its verbs replaced by values. */
function filledIn(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replaceAll(/%(?:%|(?:\.(\d+))?(.?))/g, (whole, digits: string | undefined, mark: string | undefined = '') => {
    if (whole === '%%') return '%';
    if (!'sdfebxXo'.includes(mark) || mark === '')
      throw new Error(`could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(mark)}`);
    if (next >= values.length) throw new Error(`index ${String(next)} out of range`);
    next += 1;
    return clause(mark, digits, values[next - 1]);
  });
}

/** Adds named formats, and `format` for strings. */
export function addTexts(environment: Environment, optional: typeof Optional): void {
  environment
    .registerType('kubernetes.NamedFormat', NamedFormat)
    .registerType('kubernetes.Formats', Formats)
    .registerType('kubernetes.Strings', Strings);
  environment
    .registerConstant('format', 'kubernetes.Formats', new Formats())
    .registerConstant('strings', 'kubernetes.Strings', new Strings());
  const register = (signature: string, handler: (...values: never[]) => unknown): unknown =>
    environment.registerFunction(signature, handler as (...values: unknown[]) => unknown);
  for (const [name, check] of Object.entries(checks))
    register(`kubernetes.Formats.${name}(): kubernetes.NamedFormat`, () => new NamedFormat(check));
  register('kubernetes.Formats.named(string): optional<kubernetes.NamedFormat>', (_: Formats, name: string) =>
    Object.hasOwn(checks, name) ? optional.of(new NamedFormat(checks[name] ?? (() => []))) : optional.none(),
  );
  register('kubernetes.NamedFormat.validate(string): optional<list<string>>', ({ check }: NamedFormat, text: string) => {
    const problems = check(text);
    return problems.length === 0 ? optional.none() : optional.of(problems);
  });
  register('kubernetes.Strings.quote(string): string', (_: Strings, text: string) => JSON.stringify(text));
  register('string.format(list): string', filledIn);
}
