import { describeValue } from './options.js';

/** How a label's value is compared. */
export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** A selector in the form of API objects, for example in a Deployment's spec. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[] | undefined;
}

/** Labels with the values that an object must have: the short form of selectors, as in the spec of a Service. */
export type LabelMap = Readonly<Record<string, string>>;

/** A parsed label selector: all requirements must hold. Without requirements, it matches everything. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Whether the selector matches these labels. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
  /** The selector as text for a URL's query. */
  toString(): string;
}

/** Selects objects by their labels: text as of kubectl's `-l`, a selector object as in specs, a map of labels, or a parsed selector. */
export type Selection = string | LabelSelectorObject | LabelMap | LabelSelector;

/** Parses a 64-bit integer; undefined for any other text. */
export function integerOf(text: string): bigint | undefined {
  if (!/^[-+]?\d{1,40}$/.test(text)) return undefined;
  const integer = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

function requirementHolds({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    default: {
      const actual = integerOf(value ?? '');
      const bound = integerOf(values[0] ?? '');
      if (actual === undefined || bound === undefined) return false;
      return operator === 'GreaterThan' ? actual > bound : actual < bound;
    }
  }
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return values.length === 1 ? `${key}=${values[0] ?? ''}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0] ?? ''}` : `${key} notin (${values.join(',')})`;
    default:
      return `${key}${operator === 'GreaterThan' ? '>' : '<'}${values[0] ?? ''}`;
  }
}

const noLabels: Readonly<Record<string, string>> = {};

/** A selector with requirements that are known to be valid. */
export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  return {
    requirements,
    matches: (labels) => requirements.every((requirement) => requirementHolds(requirement, labels ?? noLabels)),
    toString: () => requirements.map(requirementText).join(','),
  };
}

const nameSyntax = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const prefixSyntax = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const tokenSyntax = /[ \t\r\n]*(?:(==|!=|=|!|<|>|\(|\)|,)|([^ \t\r\n=!<>(),]+))/gy;

const keyExpected = 'a label key such as app or example.com/app';
const valueExpected = 'a label value of at most 63 letters, digits, -, _ and .';

/** Whether a key is a name, or a DNS name, a slash and a name. */
function isLabelKey(key: string): boolean {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  const isPrefix = prefix === undefined || (prefix.length <= 253 && prefixSyntax.test(prefix));
  return more.length === 0 && name.length <= 63 && nameSyntax.test(name) && isPrefix;
}

function isLabelValue(value: string): boolean {
  return value === '' || (value.length <= 63 && nameSyntax.test(value));
}

/** The words and symbols that compare. */
const comparisons: ReadonlyMap<string | undefined, LabelOperator> = new Map([
  ...(['=', '==', 'in'] as const).map((text) => [text, 'In'] as const),
  ...(['!=', 'notin'] as const).map((text) => [text, 'NotIn'] as const),
  ...[['>', 'GreaterThan'] as const, ['<', 'LessThan'] as const],
]);

const isBound = (word: string): boolean => /^\d+$/.test(word) && integerOf(word) !== undefined;

/** The requirements that a text has, in the grammar of Kubernetes. */
function parseRequirements(text: string): LabelRequirement[] {
  const tokens = [...text.matchAll(tokenSyntax)].map(([, symbol, word]) => ({ symbol, word }));
  let at = 0;
  const fail = (expected: string): never => {
    const next = tokens[at];
    const found = next === undefined ? 'the end' : `'${next.symbol ?? next.word ?? ''}'`;
    throw new TypeError(`Unable to parse the label selector ${JSON.stringify(text)}: found ${found}, expected ${expected}`);
  };
  const accept = (symbol: string): boolean => {
    const isNext = tokens[at]?.symbol === symbol;
    if (isNext) at += 1;
    return isNext;
  };
  const take = (holds: (word: string) => boolean, expected: string): string => {
    const word = tokens[at]?.word;
    if (word === undefined || !holds(word)) return fail(expected);
    at += 1;
    return word;
  };
  const value = (): string => (tokens[at]?.word === undefined ? '' : take(isLabelValue, valueExpected));
  const values = (): string[] => {
    if (!accept('(')) fail("'('");
    const found = [value()];
    while (accept(',')) found.push(value());
    if (!accept(')')) fail("')'");
    return [...new Set(found)];
  };
  const requirement = (): LabelRequirement => {
    if (accept('!')) return { key: take(isLabelKey, keyExpected), operator: 'DoesNotExist', values: [] };
    const key = take(isLabelKey, keyExpected);
    const { symbol = ',', word } = tokens[at] ?? {};
    if (word === undefined && symbol === ',') return { key, operator: 'Exists', values: [] };
    const operator = comparisons.get(word ?? symbol) ?? fail("in, notin, '=', '==', '!=', '<', '>' or the end");
    at += 1;
    if (word !== undefined) return { key, operator, values: values() };
    const isOrder = operator === 'GreaterThan' || operator === 'LessThan';
    return { key, operator, values: [isOrder ? take(isBound, 'an integer from 0 to 2^63 - 1') : value()] };
  };
  const requirements: LabelRequirement[] = [];
  while (at < tokens.length) {
    if (requirements.length > 0 && !accept(',')) fail("',' or the end");
    requirements.push(requirement());
  }
  return requirements;
}

const operators: Readonly<Record<string, LabelOperator>> = { In: 'In', NotIn: 'NotIn', Exists: 'Exists', DoesNotExist: 'DoesNotExist' };

const isText = (value: unknown): value is string => typeof value === 'string';

function unexpected(what: string, label: unknown, expected: string): TypeError {
  return new TypeError(`Expected ${what} to be ${expected}, got ${describeValue(label)}`);
}

function requirementOf(key: string, name: string, values: readonly string[]): LabelRequirement {
  if (!isText(key) || !isLabelKey(key)) throw unexpected('the key of a label requirement', key, keyExpected);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) {
    throw unexpected(`the operator of the label requirement ${key}`, name, 'In, NotIn, Exists or DoesNotExist');
  }
  const wantsValues = operator === 'In' || operator === 'NotIn';
  if (!Array.isArray(values) || wantsValues !== values.length > 0) {
    throw new TypeError(
      `Expected ${wantsValues ? 'values' : 'no values'} for the label requirement ${key} ${name}, got ${JSON.stringify(values)}`,
    );
  }
  for (const value of values) {
    if (!isText(value) || !isLabelValue(value)) throw unexpected(`the value of the label requirement ${key}`, value, valueExpected);
  }
  return { key, operator, values: values.length > 1 ? [...new Set(values)] : values.slice() };
}

function isLabelMap(selector: LabelSelectorObject | LabelMap): selector is LabelMap {
  const values: unknown[] = Object.values(selector);
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function requirementsOf(selector: LabelSelectorObject | LabelMap): LabelRequirement[] {
  if (isLabelMap(selector)) return Object.entries(selector).map(([key, value]) => requirementOf(key, 'In', [value]));
  const unknown = Object.keys(selector).find((name) => name !== 'matchLabels' && name !== 'matchExpressions');
  if (unknown !== undefined) {
    throw new TypeError(
      `Expected a label selector to have matchLabels and matchExpressions, or labels and their values, got ${JSON.stringify(unknown)}`,
    );
  }
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirementOf(key, 'In', [value])),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values }) => requirementOf(key, operator, values ?? [])),
  ];
}

function isParsed(selector: object): selector is LabelSelector {
  return 'requirements' in selector && Array.isArray(selector.requirements);
}

/**
 * Parses a label selector: text as of kubectl's `-l` (`app=web,tier in (a,b),!canary,size>5`), a selector object as in specs, or a map of labels
 * (`{ app: 'web' }`).
 *
 * @example
 * ```ts
 * import { parseLabelSelector } from 'rx-informer/pipeline';
 *
 * const selector = parseLabelSelector('app in (web, api),!canary');
 * console.log(selector.matches({ app: 'web' })); // true
 * ```
 *
 * @throws TypeError with the selector, what was found and what was expected.
 */
export function parseLabelSelector(selector: Selection): LabelSelector {
  if (typeof selector === 'string') return labelSelectorOf(parseRequirements(selector));
  if (typeof selector !== 'object' || (selector as unknown) === null || Array.isArray(selector)) {
    throw unexpected('a label selector', selector, 'a string or an object with matchLabels or matchExpressions');
  }
  return isParsed(selector) ? selector : labelSelectorOf(requirementsOf(selector));
}

/** One condition of a field selector. */
export interface FieldRequirement {
  /** The path of the field, for example `metadata.name`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Escapes a value for use in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, (character) => `\\${character}`);
}

function unescape(text: string, selector: string): string {
  return text.replace(/\\(.?)/g, (_, character: string) => {
    if (!['\\', ',', '='].includes(character)) {
      throw new TypeError(
        `Unable to parse the field selector ${JSON.stringify(selector)}: expected \\, = or a comma after a backslash, got '${character}'`,
      );
    }
    return character;
  });
}

function fieldRequirementOf(part: string, selector: string): FieldRequirement {
  const [, field = '', operator, value = ''] = /^((?:[^\\=!]|\\.|!(?!=))+)(!=|==|=)((?:[^\\=]|\\(?:.|$))*)$/s.exec(part) ?? [];
  if (operator === undefined) {
    throw new TypeError(
      `Unable to parse the field selector ${JSON.stringify(selector)}: can't understand '${part}', expected field=value or field!=value`,
    );
  }
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescape(value, selector) };
}

/**
 * Parses a field selector: `metadata.name=web,status.phase!=Running`, where a backslash escapes a comma, an equals sign or itself.
 *
 * @throws TypeError with the selector and the invalid part.
 */
export function parseFieldSelector(selector: string): readonly FieldRequirement[] {
  return (selector.match(/(?:[^\\,]|\\(?:.|$))+/gs) ?? []).map((part) => fieldRequirementOf(part, selector));
}
