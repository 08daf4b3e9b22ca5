import { Document, isScalar, visit } from 'yaml';

/**
 * Characters that affect a terminal without being visible: control characters, changes of text direction, and line separators.
 */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const unprintableInLines = new RegExp(`(?![\\n\\t])${unprintable.source}`, 'gu');

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text that a server sent, in one line that no terminal acts on: `\u001b` in place of an escape character. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeOf);
}

/** The same for a text of several lines: line breaks stay. */
export function printableLines(text: string): string {
  return text.replace(unprintableInLines, escapeOf);
}

/** JSON that no terminal acts on, and that means the same: `JSON.stringify` leaves the second set of control characters as they are. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

const isUnprintable = (value: unknown): boolean => typeof value === 'string' && printableLines(value) !== value;

/** YAML that no terminal acts on, and that means the same: a text with control characters is quoted, and they are escaped. */
export function printableYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (isUnprintable(node.value)) node.type = 'QUOTE_DOUBLE';
    },
    Pair: (_, { key }) => {
      if (isScalar(key) && isUnprintable(key.value)) key.type = 'QUOTE_DOUBLE';
    },
  });
  return printableLines(document.toString());
}
