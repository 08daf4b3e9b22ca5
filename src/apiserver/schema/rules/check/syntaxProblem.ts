import type { ASTNode, ParseError } from '@marcbachmann/cel-js';
import { shownProblems } from './checkedExpression.js';
import { positionOf } from './expression.js';

const literals = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
/** The expected tokens after the last character of an expression that ends too early. */
const nextTokens: Readonly<Record<string, string>> = {
  '(': `{'[', '{', '(', ')', '.', '-', '!', ${literals}`,
  '[': `{'[', ']', '{', '(', '.', ',', '-', '!', '?', ${literals}`,
};
const startTokens = `{'[', '{', '(', '.', '-', '!', ${literals}`;

function endProblem(text: string): string {
  const last = text.trimEnd().at(-1) ?? '';
  if (last === '.') return "Syntax error: no viable alternative at input '.'";
  return `Syntax error: mismatched input '<EOF>' expecting ${nextTokens[last] ?? startTokens}`;
}

function isNode(location: object | undefined): location is ASTNode {
  return location !== undefined && 'op' in location && location.op !== undefined;
}

/** The problem with a text that is no expression, in the words of the API server. */
export function syntaxProblem(text: string, { summary, range, node }: ParseError): string {
  const at = range?.start ?? 0;
  const reserved = /^Reserved identifier: (.+)$/.exec(summary)?.[1];
  if (reserved !== undefined) return shownProblems(text, [[at, `reserved identifier: ${reserved}`]]);
  const macro = /^(\w+)\(.*\) invalid predicate iteration variable$/.exec(summary)?.[1];
  if (macro !== undefined)
    return shownProblems(text, [
      [
        isNode(node) ? positionOf(text, node) : at,
        macro === 'map' || macro === 'filter' ? 'argument is not an identifier' : 'argument must be a simple name',
      ],
    ]);
  const token = /^Unexpected token: (.*)$/.exec(summary)?.[1] ?? /, got (EOF)$/.exec(summary)?.[1];
  return shownProblems(text, token === 'EOF' ? [[text.length, endProblem(text)]] : [[at, `Syntax error: ${summary}`]]);
}
