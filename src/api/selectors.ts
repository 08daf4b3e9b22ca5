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
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
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

interface Token {
  readonly text: string;
  readonly symbol: boolean;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(tokenSyntax)].map(([, symbol, word = '']) => ({ text: symbol ?? word, symbol: symbol !== undefined }));
}

class Parser {
  private position = 0;
  private readonly tokens: Token[];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokensOf(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.tokens.length === 0) return requirements;
    for (;;) {
      requirements.push(this.requirement());
      if (this.position === this.tokens.length) return requirements;
      if (!this.accept(',')) this.fail(this.next, "',' or the end");
    }
  }

  private get next(): string | undefined {
    return this.tokens[this.position]?.text;
  }

  private requirement(): LabelRequirement {
    if (this.accept('!')) return { key: this.key(), operator: 'DoesNotExist', values: [] };
    const key = this.key();
    const next = this.tokens[this.position];
    if (next === undefined || (next.symbol && next.text === ',')) return { key, operator: 'Exists', values: [] };
    this.position += 1;
    switch (next.text) {
      case '=':
      case '==':
        return { key, operator: 'In', values: [this.value()] };
      case '!=':
        return { key, operator: 'NotIn', values: [this.value()] };
      case '>':
      case '<':
        return { key, operator: next.text === '>' ? 'GreaterThan' : 'LessThan', values: [this.integer()] };
      case 'in':
        return { key, operator: 'In', values: this.values() };
      case 'notin':
        return { key, operator: 'NotIn', values: this.values() };
      default:
        return this.fail(next.text, "in, notin, '=', '==', '!=', '<', '>' or the end");
    }
  }

  /** Takes the next token, unless it is a symbol or the end. */
  private word(): string | undefined {
    const token = this.tokens[this.position];
    if (token === undefined || token.symbol) return undefined;
    this.position += 1;
    return token.text;
  }

  private key(): string {
    const word = this.word();
    return word !== undefined && isLabelKey(word) ? word : this.fail(word ?? this.next, keyExpected);
  }

  private value(): string {
    const word = this.word() ?? '';
    return isLabelValue(word) ? word : this.fail(word, valueExpected);
  }

  private integer(): string {
    const word = this.word();
    // Bounds are label values as well, which cannot begin with a sign.
    const isBound = word !== undefined && /^\d+$/.test(word) && integerOf(word) !== undefined;
    return isBound ? word : this.fail(word ?? this.next, 'an integer from 0 to 2^63 - 1');
  }

  private values(): string[] {
    this.symbol('(');
    const values: string[] = [];
    do values.push(this.value());
    while (this.accept(','));
    this.symbol(')');
    return [...new Set(values)];
  }

  private accept(symbol: string): boolean {
    const token = this.tokens[this.position];
    if (token?.symbol !== true || token.text !== symbol) return false;
    this.position += 1;
    return true;
  }

  private symbol(symbol: string): void {
    if (!this.accept(symbol)) this.fail(this.next, `'${symbol}'`);
  }

  private fail(found: string | undefined, expected: string): never {
    throw new TypeError(
      `Unable to parse the label selector ${JSON.stringify(this.text)}: found ${found === undefined ? 'the end' : `'${found}'`}, expected ${expected}`,
    );
  }
}

const operators: Readonly<Record<string, LabelOperator>> = { In: 'In', NotIn: 'NotIn', Exists: 'Exists', DoesNotExist: 'DoesNotExist' };

const isText = (value: unknown): value is string => typeof value === 'string';

function unexpected(what: string, label: unknown, expected: string): TypeError {
  return new TypeError(`Expected ${what} to be ${expected}, got ${JSON.stringify(label)}`);
}

function requirementOf(key: string, name: string, values: readonly string[]): LabelRequirement {
  if (!isText(key) || !isLabelKey(key)) throw unexpected('the key of a label requirement', key, keyExpected);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) {
    throw new TypeError(
      `Expected the operator of the label requirement ${key} to be In, NotIn, Exists or DoesNotExist, got ${JSON.stringify(name)}`,
    );
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
 * @throws TypeError with the selector, what was found and what was expected.
 */
export function parseLabelSelector(selector: string | LabelSelectorObject | LabelMap | LabelSelector): LabelSelector {
  if (typeof selector === 'string') return labelSelectorOf(new Parser(selector).parse());
  if (typeof selector !== 'object' || (selector as unknown) === null || Array.isArray(selector)) {
    throw new TypeError(
      `Expected a label selector to be a string or an object with matchLabels or matchExpressions, got ${JSON.stringify(selector)}`,
    );
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
