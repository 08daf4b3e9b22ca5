import type { JsonObject } from '../json.js';
import { encodeListProtobuf, encodeProtobuf } from '../protobuf/encodeProtobuf.js';
import { yamlOf } from './yamlText.js';

/** How an answer is written: JSON on one line, indented JSON, YAML, or protobuf. */
export type Layout = 'compact' | 'pretty' | 'yaml' | 'protobuf';

/** A list as JSON, in parts. */
export interface ListParts {
  /** The text before the first item. */
  readonly head: string;
  readonly items: Iterable<readonly Buffer[]>;
  /** The text after the last item. */
  readonly tail: string;
}

const comma = Buffer.from(',');
const newline = Buffer.from('\n');
const noItems = '[]';

function parsed(parts: readonly Buffer[]): unknown {
  return JSON.parse(Buffer.concat(parts).toString());
}

/** Only a line feed ends a line here: JavaScript's `^` also matches after U+2028, which may occur in strings. */
function indented(text: string, by: string): string {
  return text.replace(/(^|\n)(?=[^\n])/g, `$1${by}`);
}

/** The bytes of one value, given as JSON. */
export function valueBytes(parts: readonly Buffer[], layout: Layout): Buffer {
  if (layout === 'yaml') return Buffer.from(yamlOf(parsed(parts)));
  if (layout === 'pretty') return Buffer.from(`${JSON.stringify(parsed(parts), null, 2)}\n`);
  if (layout === 'protobuf') return encodeProtobuf(parsed(parts) as JsonObject);
  return Buffer.concat([...parts, newline]);
}

function* compactList({ head, items, tail }: ListParts): Generator<Buffer, void, undefined> {
  yield Buffer.from(head);
  let first = true;
  for (const item of items) {
    if (!first) yield comma;
    first = false;
    yield* item;
  }
  yield Buffer.from(`${tail}\n`);
}

function* prettyList({ head, items, tail }: ListParts): Generator<Buffer, void, undefined> {
  const empty = `${JSON.stringify(JSON.parse(`${head}${tail}`), null, 2)}\n`;
  // In JSON, the items are the last field.
  const place = empty.lastIndexOf(noItems) + 1;
  let before = empty.slice(0, place);
  for (const item of items) {
    yield Buffer.from(`${before}\n${indented(JSON.stringify(parsed(item), null, 2), '    ')}`);
    before = ',';
  }
  yield Buffer.from(before === ',' ? `\n  ${empty.slice(place)}` : empty);
}

function* yamlList({ head, items, tail }: ListParts): Generator<Buffer, void, undefined> {
  const empty = yamlOf(JSON.parse(`${head}${tail}`));
  // In YAML, names are sorted, so other fields may follow the items.
  const [before = '', behind = ''] = empty.split(/(?<=^(?:items|rows):) \[\]\n/m);
  let begun = false;
  for (const item of items) {
    const entry = yamlOf([parsed(item)]);
    yield Buffer.from(begun ? entry : `${before}\n${entry}`);
    begun = true;
  }
  yield Buffer.from(begun ? behind : empty);
}

/** The bytes of a list. Holds at most one item at a time. */
export function listBytes(list: ListParts, layout: Layout): Generator<Buffer, void, undefined> {
  if (layout === 'yaml') return yamlList(list);
  if (layout === 'protobuf') return encodeListProtobuf(JSON.parse(`${list.head}${list.tail}`) as JsonObject, list.items);
  return layout === 'pretty' ? prettyList(list) : compactList(list);
}
