import { Document, isScalar, visit } from 'yaml';
import { printableLines } from './printable.js';

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
