import type { ASTNode, ParseError } from '@marcbachmann/cel-js';
import { shownProblems } from './checkedExpression.js';
import { positionOf, type Problem } from './expression.js';
import { placeOf, withMarks, type Words } from './words.js';

const literals = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
/** The tokens that can begin an expression; after some signs there can be others, too. */
const startTokens = `{'[', '{', '(', '.', '-', '!', ${literals}`;
const argumentTokens = `{'[', '{', '(', ')', '.', '-', '!', ${literals}`;
const itemTokens = `{'[', ']', '{', '(', '.', ',', '-', '!', '?', ${literals}`;
const indexTokens = `{'[', '{', '(', '.', '-', '!', '?', ${literals}`;

const quoted = /^(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/;
const token = /^(?:\d[\w.]*|\w+|==|!=|<=|>=|&&|\|\||[-+*/%<>()[\]{}.,:?!]|`[^`\n]*`)/;
const blank = /^(?:\s+|\/\/[^\n]*)/;

/** The next element of a text at a position: a token, or characters that form no token. */
function partAt(text: string, at: number): { readonly part: string; readonly isKnown: boolean } {
  const rest = text.slice(at);
  const [known] = blank.exec(rest) ?? quoted.exec(rest) ?? token.exec(rest) ?? [];
  if (known !== undefined) return { part: known, isKnown: true };
  // An unterminated text, or an incomplete operator with the next character.
  const [unknown = rest.charAt(0)] = /^(?:["'][^\n]*|[=&|][^])/.exec(rest) ?? [];
  return { part: unknown, isKnown: false };
}

/** The signs of a text that are no tokens, and the text without them. */
function withoutStrangers(text: string): readonly [string, readonly Problem[]] {
  const problems: Problem[] = [];
  let clean = '';
  while (clean.length < text.length) {
    const { part, isKnown } = partAt(text, clean.length);
    if (!isKnown) problems.push([clean.length, `Syntax error: token recognition error at: '${part}'`]);
    clean += isKnown ? part : part.replaceAll(/[^\n]/g, ' ');
  }
  return [clean, problems];
}

/** The token at a position; undefined at the end. */
function tokenAt(text: string, at: number): { readonly shown: string; readonly end: number } | undefined {
  const start = at + (/^(?:\s+|\/\/[^\n]*)*/.exec(text.slice(at))?.[0].length ?? 0);
  return start >= text.length ? undefined : { shown: partAt(text, start).part, end: start + partAt(text, start).part.length };
}

function unexpected(kind: 'extraneous' | 'mismatched', shown: string, expected: string): string {
  return `${kind} input '${shown}' expecting ${expected}`;
}

/** The tokens that are allowed after the last character of a text. */
function tokensAfter(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed.endsWith('(')) return argumentTokens;
  if (!trimmed.endsWith('[')) return startTokens;
  return /[\w)\]"'}]\s*\[$/.test(trimmed) ? indexTokens : itemTokens;
}

/** The message about an unexpected token. */
function tokenProblem(text: string, summary: string, at: number): string {
  const [, wanted] = /^Expected (\w+), got/.exec(summary) ?? [];
  const found = tokenAt(text, at);
  const shown = found?.shown ?? '<EOF>';
  if (wanted === 'IDENTIFIER') return `no viable alternative at input '.${found?.shown ?? ''}'`;
  if (wanted === 'RPAREN' && found === undefined) return "missing ')' at '<EOF>'";
  const closing = { RPAREN: "')'", RBRACKET: "{']', ','}", RBRACE: "{'}', ','}", COLON: "':'" }[wanted ?? ''];
  if (closing !== undefined) return unexpected('mismatched', shown, closing);
  if (found === undefined) return unexpected('mismatched', shown, tokensAfter(text));
  const next = tokenAt(text, found.end);
  if (summary.startsWith('Unexpected character')) return unexpected(next === undefined ? 'extraneous' : 'mismatched', shown, '<EOF>');
  const goesOn = next !== undefined && /^[\w"'([{.!-]/.test(next.shown);
  return unexpected(goesOn ? 'extraneous' : 'mismatched', shown, startTokens);
}

function isNode(location: object | undefined): location is ASTNode {
  return location !== undefined && 'op' in location && location.op !== undefined;
}

function parseProblem(text: string, words: Words, { summary, range, node }: ParseError): Problem {
  const at = placeOf(words, range?.start ?? 0);
  const reserved = /^Reserved identifier: (.+)$/.exec(summary)?.[1];
  if (reserved !== undefined) return [at, `reserved identifier: ${reserved}`];
  const macro = /^(\w+)\(.*\) invalid predicate iteration variable$/.exec(summary)?.[1];
  if (macro !== undefined)
    return [
      isNode(node) ? placeOf(words, positionOf(words.text, node)) : at,
      macro === 'map' || macro === 'filter' ? 'argument is not an identifier' : 'argument must be a simple name',
    ];
  const isKnown = /^(Expected|Unexpected)/.test(summary);
  return [tokenAt(text, at) === undefined ? text.length : at, `Syntax error: ${isKnown ? tokenProblem(text, summary, at) : summary}`];
}

/** The errors of a text that is not an expression, with the messages of the API server. `refusal` is the engine's error for a text, if any. */
export function syntaxProblem(text: string, refusal: (text: string) => ParseError | undefined): string {
  const [clean, strangers] = withoutStrangers(text);
  const words = withMarks(clean);
  const refused = refusal(words.text);
  const problem = words.problem ?? (refused === undefined ? undefined : parseProblem(clean, words, refused));
  return shownProblems(text, [...strangers, ...(problem === undefined ? [] : [problem])]);
}
