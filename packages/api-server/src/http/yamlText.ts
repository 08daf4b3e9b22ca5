import { Document, isScalar, Scalar, visit } from 'yaml';

// Strings that readers of YAML 1.1 would parse as another type.
const ambiguous =
  /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|[-+]?(0b[01_]+|0x[\da-fA-F_]+|[\d_]+(:[0-5]?\d)*|(\d[\d_]*)?\.?\d*([eE][-+]?\d+)?|\.(inf|Inf|INF|nan|NaN|NAN))|\d{4}-\d\d?-\d\d?([Tt\s].*)?|<<|=)$/;

// Strings of several lines with white space at the start or end of a line: a block scalar would be ambiguous.
const awkward = /^[ \t\n][^]*\n|\n[^]*[ \t]$|[ \t]\n|\n[^]*\n$/;

/** A value as YAML that readers of any version parse in the same way: names sorted, ambiguous strings in quotes. */
export function yamlOf(value: unknown): string {
  const document = new Document(value, { sortMapEntries: true });
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === 'string' && (ambiguous.test(node.value) || awkward.test(node.value)))
      node.type = Scalar.QUOTE_DOUBLE;
  });
  return document.toString({ lineWidth: 80, minContentWidth: 0, indentSeq: false, singleQuote: true });
}
