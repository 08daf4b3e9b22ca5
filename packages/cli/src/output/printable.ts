import { yamlOf } from '@rx-informer/api-server/internal';

/**
 * Characters that affect a terminal without being visible: control characters, changes of text direction, and line separators.
 */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const unprintableInLines = new RegExp(`(?![\\n\\t])${unprintable.source}`, 'gu');

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes a text from a server for one line of a terminal: `\u001b` for an escape character. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeOf);
}

/** Escapes a text of several lines: line breaks are kept. */
export function printableLines(text: string): string {
  return text.replace(unprintableInLines, escapeOf);
}

/**
 * JSON without characters that affect a terminal. It has the same meaning: the characters that `JSON.stringify` leaves unescaped are
 * escaped as well.
 */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/**
 * YAML without characters that affect a terminal. It has the same meaning, for readers of any version of YAML: strings with control characters are quoted, and the
 * characters escaped.
 */
export function printableYaml(value: unknown): string {
  return printableLines(yamlOf(value));
}
