import { brotliDecompressSync } from 'node:zlib';
import { packedMessages } from './packedMessages.js';

/** A field of a message. */
export interface MessageField {
  /** Its name in JSON; `.` for an embedded message, whose fields belong to this one. */
  readonly name: string;
  /**
   * `s` string, `i` integer, `d` float, `b` boolean, `y` bytes, `items` a message with a list of strings, the name of a type with a JSON
   * form of its own, or of another message.
   */
  readonly type: string;
  readonly form: 'one' | 'list' | 'map';
  /** Whether Go's JSON encoder writes zero values: protobuf contains them for every field that is not a pointer. */
  readonly zeros: boolean;
  /** Whether the field is a pointer in Go: protobuf does not contain it when it is absent. */
  readonly pointer: boolean;
}

interface Unpacked {
  /** The message of each kind, by `apiVersion` and `kind`. */
  readonly kinds: Readonly<Record<string, string>>;
  /**
   * The fields of each message: number, name and type; `[...]` is a list, `{...}` a map from strings, a star means that zero values are
   * kept, and `?` that the field is a pointer. Its name in Go may follow.
   */
  readonly messages: Readonly<Record<string, string>>;
}

const parsed = new Map<string, ReadonlyMap<number, MessageField>>();
let unpacked: Unpacked | undefined;

/** Unpacked at the first use. */
function all(): Unpacked {
  unpacked ??= JSON.parse(brotliDecompressSync(Buffer.from(packedMessages, 'base64')).toString()) as Unpacked;
  return unpacked;
}

function parseField(text: string): readonly [number, MessageField] {
  const [number = '0', name = '', written = ''] = text.split(' ');
  const pointer = written.endsWith('?');
  const zeros = written.includes('*');
  const form = written.startsWith('[') ? 'list' : written.startsWith('{') ? 'map' : 'one';
  const type = written.replace(/\*\??$/, '').replace(/^[[{](.*)[\]}]$/, '$1');
  return [Number(number), { name, type, form, zeros, pointer }];
}

/** The name of the message of a kind; undefined for a kind that is not built in. */
export function messageOfKind(apiVersion: string, kind: string): string | undefined {
  const { kinds } = all();
  // All groups share this kind, including those of custom resources.
  const name = kind === 'DeleteOptions' ? 'v1 DeleteOptions' : `${apiVersion} ${kind}`;
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

/** The fields of a message, by number. */
export function fieldsOfMessage(message: string): ReadonlyMap<number, MessageField> {
  let fields = parsed.get(message);
  if (fields === undefined) {
    const text = all().messages[message] ?? '';
    fields = new Map(text === '' ? [] : text.split(',').map(parseField));
    parsed.set(message, fields);
  }
  return fields;
}
