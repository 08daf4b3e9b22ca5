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

/** Walks over the tokens of a selector and stops at the first that cannot stand where it stands. */
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
    if (absent || this.atEnd()) return '';
    const operator = this.take();
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
    while (this.next.kind === 'identifier' || this.next.text === ',') this.take();
    const close = this.take();
    return close.text === ')' ? '' : `found '${close.text}', expected: ')'`;
  }
}

/** Why a text is no label selector, in the words of Kubernetes; `''` when its syntax is right. */
export function selectorProblem(text: string): string {
  return new Walker(text).problem();
}
