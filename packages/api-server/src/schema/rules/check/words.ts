import type { Problem } from './expression.js';

/** A text as the engine can read it. */
export interface Words {
  readonly text: string;
  /** The position in the original text of each character, and of the end; undefined for an unchanged text. */
  readonly places?: readonly number[];
  /** Errors about the fields of an object that the engine does not detect. */
  readonly problem?: Problem | undefined;
}

const part =
  /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*|\d[\w.]*|\/\/[^\n]*|\s+|[^]/g;
const keywords = new Set(['in', 'true', 'false', 'null']);
const isName = /^[A-Za-z_]/;

type Part = readonly [token: string, at: number];

function isBlank(token: string): boolean {
  return /^(?:\s|\/\/)/.test(token);
}

/** The error about the name of an object's field, or about the character after it. */
function fieldProblem(parts: readonly Part[], index: number, end: number): Problem | undefined {
  const [token, at] = parts[index] ?? ['', end];
  if (token.startsWith('`')) return [at, "unsupported syntax: '`'"];
  if (!/^[A-Za-z_]\w*$/.test(token) || keywords.has(token))
    return [at, `Syntax error: mismatched input '${token}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`];
  let next = index + 1;
  while (isBlank(parts[next]?.[0] ?? '')) next += 1;
  const [sign, nextAt] = parts[next] ?? ['', end];
  return sign === ':' ? undefined : [nextAt, `Syntax error: missing ':' at '${sign || '<EOF>'}'`];
}

/**
 * The text with marks for what the engine cannot read: optional entries of literals begin with `-!` in place of `?`, and an object `T{a: b}` becomes
 * `T[-!{"a": b}]`. No correct expression has these signs in a row.
 */
export function withMarks(text: string): Words {
  let words = '';
  const places: number[] = [];
  let problem: Problem | undefined;
  const put = (at: number, token: string, shown: string): void => {
    words += shown;
    for (let index = 0; index < shown.length; index += 1) places.push(shown === token ? at + index : at);
  };
  /** For each open bracket: what it begins. */
  const open: ('object' | 'literal' | 'other')[] = [];
  const parts = [...text.matchAll(part)].map((found) => [found[0], found.index] as const);
  let before = '';
  for (const [index, [token, at]] of parts.entries()) {
    if (isBlank(token)) {
      put(at, token, token);
      continue;
    }
    const within = open.at(-1);
    const beginsEntry = before === '{' || before === ',' || (before === '[' && within === 'literal');
    if (token === '{') {
      const isObject = isName.test(before) && !keywords.has(before);
      open.push(isObject ? 'object' : 'literal');
      put(at, token, isObject ? '[-!{' : token);
    } else if (token === '[' || token === '(') {
      open.push(token === '[' && (before === 'in' || !/[\w)\]"'}]$/.test(before)) ? 'literal' : 'other');
      put(at, token, token);
    } else if (token === '?' && beginsEntry) put(at, token, '-!');
    else if (/^[)\]}]$/.test(token)) put(at, token, open.pop() === 'object' ? '}]' : token);
    else if (within === 'object' && (beginsEntry || before === '{?') && token !== ',') {
      problem ??= fieldProblem(parts, index, text.length);
      put(at, token, isName.test(token) ? `"${token}"` : token);
    } else put(at, token, token);
    before = token === '?' && beginsEntry ? '{?' : token;
  }
  return words === text ? { text } : { text: words, places: [...places, text.length], problem };
}

/** The position in the original text. */
export function placeOf({ places }: Words, at: number): number {
  return places === undefined ? at : (places[at] ?? places.at(-1) ?? at);
}
