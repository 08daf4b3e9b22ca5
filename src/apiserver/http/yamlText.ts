import { Document, isScalar, Scalar, visit } from 'yaml';

// What readers of YAML 1.1 take for something else than a text, or for a number.
const ambiguous =
  /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|[-+]?(0b[01_]+|0x[\da-fA-F_]+|[\d_]+(:[0-5]?\d)*|(\d[\d_]*)?\.?\d*([eE][-+]?\d+)?|\.(inf|Inf|INF|nan|NaN|NAN))|\d{4}-\d\d?-\d\d?([Tt\s].*)?|<<|=)$/;

// Several lines that begin or end with white space: in a block they could be read in another way.
const awkward = /^[ \t\n][^]*\n|\n[^]*[ \t]$|[ \t]\n|\n[^]*\n$/;

/** A value as YAML that readers of any version understand: names in order, texts in quotes where they could be taken for something else. */
export function yamlOf(value: unknown): string {
  const document = new Document(value, { sortMapEntries: true });
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === 'string' && (ambiguous.test(node.value) || awkward.test(node.value)))
      node.type = Scalar.QUOTE_DOUBLE;
  });
  return document.toString({ lineWidth: 80, minContentWidth: 0, indentSeq: false, singleQuote: true });
}
