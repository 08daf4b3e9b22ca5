import { Document, Scalar, type SchemaOptions, type ToStringOptions, visit } from 'yaml';

// Strings that readers of YAML 1.1 would parse as another type.
const ambiguous =
  /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|[-+]?(0b[01_]+|0x[\da-fA-F_]+|[\d_]+(:[0-5]?\d)*|(\d[\d_]*)?\.?\d*([eE][-+]?\d+)?|\.(inf|Inf|INF|nan|NaN|NAN))|\d{4}-\d\d?-\d\d?([Tt\s].*)?|<<|=)$/;

// Strings of several lines with white space at the start or end of a line: a block scalar would be ambiguous.
const awkward = /^[ \t\n][^]*\n|\n[^]*[ \t]$|[ \t]\n|\n[^]*\n$/;

// Characters that are not seen: some are line breaks for some readers, others are refused.
const unseen = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const isQuoted = (text: unknown): boolean => typeof text === 'string' && [ambiguous, awkward, unseen].some((one) => text.search(one) >= 0);

/** The layout of Kubernetes: names sorted. */
const usual = { sortMapEntries: true, lineWidth: 80, minContentWidth: 0, indentSeq: false, singleQuote: true };

/** A value as YAML that readers of any version parse in the same way: ambiguous strings in quotes. */
export function yamlOf(value: unknown, layout: SchemaOptions & ToStringOptions = usual): string {
  const document = new Document(value, { ...layout, aliasDuplicateObjects: false });
  visit(document, { Scalar: (_, node) => void Object.assign(node, isQuoted(node.value) && { type: Scalar.QUOTE_DOUBLE }) });
  return document.toString(layout).replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
