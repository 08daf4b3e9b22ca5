import { labelSelectorOf, type LabelOperator, type LabelRequirement, type LabelSelector, type LabelSelectorObject } from './labelSelector.js';

const nameSyntax = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const prefixSyntax = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const tokenSyntax = /\s*(?:(==|!=|=|!|<|>|\(|\)|,)|([^\s=!<>(),]+))/y;

interface Token {
  readonly text: string;
  readonly symbol: boolean;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  tokenSyntax.lastIndex = 0;
  while (tokenSyntax.lastIndex < trimmed.length) {
    const match = tokenSyntax.exec(trimmed);
    if (match === null) break;
    tokens.push({ text: match[1] ?? match[2] ?? '', symbol: match[1] !== undefined });
  }
  return tokens;
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
      this.symbol(',');
    }
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

  private key(): string {
    const token = this.tokens[this.position];
    if (token === undefined || token.symbol) return this.fail(token?.text, 'a label key');
    this.position += 1;
    const [first = '', second, third] = token.text.split('/');
    const valid = second === undefined ? nameSyntax.test(first) : third === undefined && prefixSyntax.test(first) && nameSyntax.test(second);
    if (!valid || (second ?? first).length > 63) return this.fail(token.text, 'a label key such as app or example.com/app');
    return token.text;
  }

  private value(): string {
    const token = this.tokens[this.position];
    if (token === undefined || token.symbol) return '';
    this.position += 1;
    if (!nameSyntax.test(token.text) || token.text.length > 63) return this.fail(token.text, 'a label value of at most 63 letters, digits, -, _ and .');
    return token.text;
  }

  private integer(): string {
    const token = this.tokens[this.position];
    this.position += 1;
    if (token === undefined || !/^[-+]?\d+$/.test(token.text)) return this.fail(token?.text, 'an integer');
    return token.text;
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
    if (!this.accept(symbol)) this.fail(this.tokens[this.position]?.text, `'${symbol}'`);
  }

  private fail(found: string | undefined, expected: string): never {
    throw new TypeError(
      `Unable to parse the label selector ${JSON.stringify(this.text)}: found ${found === undefined ? 'the end' : `'${found}'`}, expected ${expected}`,
    );
  }
}

const operators: Readonly<Record<string, LabelOperator>> = { In: 'In', NotIn: 'NotIn', Exists: 'Exists', DoesNotExist: 'DoesNotExist' };

function requirementsOf(selector: LabelSelectorObject): LabelRequirement[] {
  const fromLabels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  const fromExpressions = (selector.matchExpressions ?? []).map(({ key, operator: name, values = [] }) => {
    const operator = operators[name];
    if (operator === undefined) throw new TypeError(`Expected the operator of a label requirement to be In, NotIn, Exists or DoesNotExist, got ${JSON.stringify(name)}`);
    const wantsValues = operator === 'In' || operator === 'NotIn';
    if (wantsValues !== values.length > 0) {
      throw new TypeError(`Expected ${wantsValues ? 'values' : 'no values'} for the label requirement ${key} ${name}, got ${JSON.stringify(values)}`);
    }
    return { key, operator, values };
  });
  return [...fromLabels, ...fromExpressions];
}

/**
 * Parses a label selector: the text of kubectl's `-l` (`app=web,tier in (a,b),!canary,size>5`), or the object that specs carry.
 *
 * @throws TypeError that names the selector, what was found and what was expected.
 */
export function parseLabelSelector(selector: string | LabelSelectorObject): LabelSelector {
  return labelSelectorOf(typeof selector === 'string' ? new Parser(selector).parse() : requirementsOf(selector));
}
