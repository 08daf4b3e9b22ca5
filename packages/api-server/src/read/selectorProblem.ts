import { nameProblems, qualifiedNameProblems } from '../write/nameProblem.js';
interface Token {
  readonly kind: 'identifier' | 'symbol' | 'end';
  readonly text: string;
}

const symbols = ['==', '!=', '=', '!', '(', ')', ',', '<', '>'];
const operators = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];
const signs = new Set(['=', '==', '!=', '<', '>']);

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const symbol = symbols.find((one) => rest.startsWith(one));
    const taken = symbol ?? /^[^=!(),<>\s]+/.exec(rest)?.[0] ?? rest.charAt(0);
    tokens.push({ kind: symbol === undefined ? 'identifier' : 'symbol', text: taken });
    rest = rest.slice(taken.length).trimStart();
  }
  return [...tokens, { kind: 'end', text: '' }];
}

/** Validation errors of the key or the values of a requirement with valid syntax. */
function meaningProblem(key: string, operator: string, values: readonly string[]): string {
  const problems = qualifiedNameProblems(key).join('; ');
  const found = problems === '' ? [] : [`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems}`];
  const [first = ''] = values;
  if ((operator === '>' || operator === '<') && !/^[-+]?\d+$/.test(first))
    found.push(`values[0]: Invalid value: ${JSON.stringify(first)}: for 'Gt', 'Lt' operators, the value must be an integer`);
  for (const [at, value] of values.entries())
    if (nameProblems(value, 'labelValue').length > 0)
      found.push(`values[${String(at)}][${key}]: Invalid value: ${JSON.stringify(value)}: ${nameProblems(value, 'labelValue').join('; ')}`);
  return found.length > 1 ? `[${found.join(', ')}]` : (found[0] ?? '');
}

/** Walks over the tokens of a selector, and stops at the first unexpected one. */
class Walker {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.tokens = tokensOf(text);
  }

  problem(): string {
    for (;;) {
      if (this.next.kind === 'end') return '';
      if (this.next.kind !== 'identifier' && this.next.text !== '!')
        return `found '${this.next.text}', expected: !, identifier, or 'end of string'`;
      const inside = this.requirement();
      if (inside !== '') return `unable to parse requirement: ${inside}`;
      const after = this.take();
      if (after.kind === 'end') return '';
      if (after.text !== ',') return `found '${after.text}', expected: ',' or 'end of string'`;
      if (this.next.kind !== 'identifier' && this.next.text !== '!') return `found '${this.next.text}', expected: identifier after ','`;
    }
  }

  private get next(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '' };
  }

  private take(): Token {
    const { next } = this;
    this.at += 1;
    return next;
  }

  private atEnd(): boolean {
    return this.next.kind === 'end' || this.next.text === ',';
  }

  private requirement(): string {
    const absent = this.next.text === '!';
    if (absent) this.take();
    const key = this.take();
    if (key.kind !== 'identifier') return `found '${key.text}', expected: identifier`;
    if (absent || this.atEnd()) return meaningProblem(key.text, '', []);
    const operator = this.take();
    const begun = this.at;
    const inside = this.operand(operator);
    if (inside !== '') return inside;
    const values = this.tokens.slice(begun, this.at).filter(({ kind }) => kind === 'identifier');
    return meaningProblem(
      key.text,
      operator.text,
      values.map(({ text }) => text),
    );
  }

  private operand(operator: Token): string {
    if (operator.text === 'in' || operator.text === 'notin') return this.values();
    if (!signs.has(operator.text)) return `found '${operator.text}', expected: ${operators.join(', ')}`;
    if (this.atEnd()) return '';
    const value = this.take();
    return value.kind === 'identifier' ? '' : `found '${value.text}', expected: identifier`;
  }

  private values(): string {
    const open = this.take();
    if (open.text !== '(') return `found '${open.text}' expected: '('`;
    if (this.next.kind !== 'identifier' && this.next.text !== ',' && this.next.text !== ')')
      return `found '${this.next.text}', expected: ',', ')' or identifier`;
    let valued = false;
    for (;;) {
      const part = this.take();
      if (part.text === ')' && part.kind === 'symbol') return '';
      if (part.kind === 'identifier') {
        if (valued) return `found '${part.text}', expected: ',' or ')'`;
        valued = true;
      } else if (part.text === ',') valued = false;
      else return `found '${part.text}', expected: ','${valued ? " or ')'" : ', or identifier'}`;
    }
  }
}

/** The syntax error of a label selector, in the words of Kubernetes; `''` when the syntax is valid. */
export function selectorProblem(text: string): string {
  return new Walker(text).problem();
}
