import { Composer, isMap, isScalar, LineCounter, Parser, visit, YAMLParseError, type CST, type Document, type ErrorCode } from 'yaml';
import { parseJson, type Json } from '../json.js';

/** A YAML document as JSON. */
export interface YamlContent {
  readonly value: Json;
  /** The errors of Go's reader for duplicate names in one map, for example `line 9: key "foo" already set in map`. */
  readonly duplicates: readonly string[];
}

/** Deeper documents are refused, because other code walks them recursively. */
const deepest = 500;

function partsOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((part) => part !== undefined && part !== null));
}

function isTooDeep(token: CST.Token): boolean {
  let level = [token];
  // A level of nesting takes two tokens: the collection and its item.
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

/** Words that are booleans in YAML 1.1, which Go's reader supports. */
const olderBooleans = [
  { value: true, test: /^(?:[Yy]|[Yy]es|YES|[Oo]n|ON)$/ },
  { value: false, test: /^(?:[Nn]|[Nn]o|NO|[Oo]ff|OFF)$/ },
].map(({ value, test }) => ({ default: true as const, tag: 'tag:yaml.org,2002:bool', test, resolve: () => value }));

/** Stops at the first error: collecting all errors takes time quadratic in the length of the text. */
function strictComposer(lines: LineCounter): Composer {
  const composer = new Composer({
    schema: 'core',
    customTags: (tags) => [...olderBooleans, ...tags],
    uniqueKeys: false,
    logLevel: 'error',
  });
  let first: YAMLParseError | undefined;
  const onError = (source: CST.SourceToken | number | { offset: number }, code: ErrorCode, message: string, warning?: boolean): void => {
    if (warning === true) return;
    // The composer catches an error thrown here and reports it a second time.
    if (first !== undefined) throw first;
    const offset = typeof source === 'number' ? source : Array.isArray(source) ? Number(source[0]) : source.offset;
    const { line, col } = lines.linePos(offset);
    first = new YAMLParseError([offset, offset + 1], code, `${message} at line ${String(line)}, column ${String(col)}`);
    throw first;
  };
  Object.assign(composer, { onError });
  return composer;
}

function duplicatesOf(document: Document.Parsed, lines: LineCounter): readonly string[] {
  const found: string[] = [];
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of isMap(map) ? map.items : []) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value))
          found.push(`line ${String(lines.linePos(key.range?.[0] ?? 0).line)}: key ${JSON.stringify(key.value)} already set in map`);
        seen.add(key.value);
      }
    },
  });
  return found;
}

/**
 * Parses YAML into its JSON form, in time proportional to the length of the text. Of several documents, the first is read, as in Kubernetes.
 *
 * @throws Error when the text is not YAML or has no JSON form.
 */
export function parseYaml(text: string): YamlContent {
  const lines = new LineCounter();
  const composer = strictComposer(lines);
  const documents: Document.Parsed[] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    if (isTooDeep(token)) throw new RangeError('exceeded max depth');
    documents.push(...composer.next(token));
    if (documents.length > 0) break;
  }
  documents.push(...composer.end(true, text.length));
  const [document] = documents;
  if (document === undefined) return { value: null, duplicates: [] };
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return { value: parseJson(JSON.stringify(value ?? null)), duplicates: duplicatesOf(document, lines) };
}
