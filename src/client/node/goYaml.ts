import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, Scalar } from 'yaml';

/** A text that is no YAML, or none that Go's parser reads. The message quotes nothing of it: it may hold a token. */
export class YamlError extends Error {}

/** What the parser refuses: control characters, and a second byte order mark. */
// eslint-disable-next-line no-control-regex -- they are what is searched
const unprintable = /^\ufeff|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** Decodes UTF-8, and UTF-16 behind a byte order mark. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new YamlError('bytes that are not UTF-8, nor UTF-16 behind a byte order mark');
  }
  if (unprintable.test(text)) throw new YamlError('control characters');
  // All these end a line in YAML 1.1.
  return text.replace(/\r\n?|\u0085/g, '\n');
}

const allFor = (value: unknown, names: string) => names.split(' ').map((name) => [name, value] as const);

/** The empty text is one of them. */
const words: ReadonlyMap<string, unknown> = new Map([
  ...allFor(true, 'y Y yes Yes YES true True TRUE on On ON'),
  ...allFor(false, 'n N no No NO false False FALSE off Off OFF'),
  ...allFor(null, ' ~ null Null NULL'),
]);

const infinite = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;
const based = /^([-+]?)0(?:([xXbBoO][0-9a-fA-F]+)|([0-7]+))$/;
const decimal = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const date = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+|$)/;

/** A number of YAML 1.1; undefined for another text, and for one that is too large for Go. */
function numberOf(text: string): number | undefined {
  if (infinite.test(text)) throw new YamlError('a number that JSON does not have');
  if (!/^[-+.0-9]/.test(text)) return undefined;
  const digits = text.replaceAll('_', '');
  const [, sign, prefixed, octal = ''] = based.exec(digits) ?? [];
  const size = Number(`0${prefixed ?? `o${octal}`}`);
  if (sign !== undefined && size < 2 ** 64) return sign === '-' ? -size : size;
  const value = decimal.test(digits) ? Number(digits) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** The value of a scalar without quotes, by the words of YAML 1.1. A date stays a text. */
function resolved(text: string): unknown {
  return words.has(text) ? words.get(text) : (numberOf(text) ?? text);
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of a text in base64, which may have line breaks; undefined for another text. */
export function fromBase64(text: string): Buffer | undefined {
  const encoded = text.replace(/[\r\n]/g, '');
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

const core = 'tag:yaml.org,2002:';

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return date.test(value) ? 'timestamp' : 'str';
  return typeof value === 'boolean' ? 'bool' : Number.isInteger(value) ? 'int' : 'float';
}

function scalarOf(node: Scalar): unknown {
  const text = typeof node.value === 'string' ? node.value : (node.source ?? '');
  if (node.tag === undefined) return node.type === Scalar.PLAIN ? resolved(text) : text;
  const type = node.tag.startsWith(core) ? node.tag.slice(core.length) : '';
  // Of a tag that Go does not know, it takes the text.
  if (!/^(binary|bool|int|float|null|timestamp)$/.test(type)) return text;
  const bytes = type === 'binary' ? fromBase64(text) : undefined;
  if (bytes !== undefined) return bytes.toString();
  const value = resolved(text);
  if (typeName(value) === type || (type === 'float' && typeName(value) === 'int')) return value;
  throw new YamlError(`a scalar that is no ${type}`);
}

/** Go's parser stops at documents that are mostly aliases; this is its count of values. */
const maxValues = 400_000;

/** One conversion of a document to the values of JSON. */
class Conversion {
  private values = 0;
  private readonly open = new Set<Node>();
  private readonly document: Document;

  constructor(document: Document) {
    this.document = document;
  }

  valueOf(node: Node | null | undefined): unknown {
    this.values += 1;
    if (this.values > maxValues) throw new YamlError('too many values or aliases');
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.valueOf(this.targetOf(node));
    if (isScalar(node)) return scalarOf(node);
    if (this.open.has(node)) throw new YamlError('an anchor that contains itself');
    this.open.add(node);
    const value = isSeq(node) ? node.items.map((item) => this.valueOf(item as Node)) : this.mappingOf(node);
    this.open.delete(node);
    return value;
  }

  private targetOf(alias: Alias): Node {
    const target = alias.resolve(this.document);
    if (target === undefined) throw new YamlError('an alias of an unknown anchor');
    return target;
  }

  /** The last of several equal keys counts. A merge key counts where it stands: it replaces keys before it. */
  private mappingOf(node: Node): object {
    const mapping = new Map<string, unknown>();
    for (const { key, value } of isMap(node) ? (node.items as Pair<Node, Node | null>[]) : []) {
      if (isScalar(key) && key.value === '<<' && (key.type === Scalar.PLAIN || key.tag === `${core}merge`)) this.merge(value, mapping);
      else mapping.set(this.keyOf(key), this.valueOf(value));
    }
    return Object.fromEntries(mapping);
  }

  private keyOf(node: Node | null): string {
    const key = this.valueOf(node);
    if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'number') return String(key);
    throw new YamlError('a key that is no text');
  }

  private merge(node: Node | null, into: Map<string, unknown>): void {
    const parts = isSeq(node) ? [...(node.items as Node[])].reverse() : [node];
    for (const part of parts) {
      const target = isAlias(part) ? this.targetOf(part) : part;
      if (!isMap(target)) throw new YamlError('a merge key that is no mapping');
      for (const [key, value] of Object.entries(this.valueOf(target) as object)) into.set(key, value);
    }
  }
}

/**
 * Reads YAML as kubectl does: the first document, with the booleans and numbers of YAML 1.1, as values of JSON.
 *
 * @throws YamlError
 * @see go-yaml v2, `resolve.go` and `decode.go`
 */
export function goYaml(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    strict: false,
    logLevel: 'error',
  });
  const { contents } = document;
  const end = isMap(contents) && contents.flow === true ? contents.range[1] : undefined;
  const error = document.errors.find(({ code, pos: [at] }) => {
    // What is behind the closing bracket is not looked at.
    const isBehind = code === 'UNEXPECTED_TOKEN' && at >= (end ?? Infinity);
    return code !== 'MULTIPLE_DOCS' && !isBehind;
  });
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new YamlError(`something else in line ${line}, column ${col}`);
  }
  return new Conversion(document).valueOf(contents);
}
