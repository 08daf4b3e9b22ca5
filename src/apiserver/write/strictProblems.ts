import { isJsonArray, isJsonObject, type Json } from '../json.js';

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Level {
  readonly names: Set<string> | undefined;
  readonly path: string;
  name: string;
  index: number;
}

function namesIn(value: Json): number {
  if (isJsonArray(value)) return value.reduce<number>((count, item) => count + namesIn(item), 0);
  if (!isJsonObject(value)) return 0;
  let count = 0;
  for (const name in value) count += 1 + namesIn(value[name] ?? null);
  return count;
}

function placeOf({ names, path, name, index }: Level): string {
  if (names === undefined) return `${path}[${String(index)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Errors about field names in a JSON text, in the order of Go's decoder: duplicate names, and the `unknown` fields, whose content is skipped. */
function scan(text: string, unknown: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  const levels: Level[] = [];
  let last = '';
  /** The depth of the unknown field that is being skipped. */
  let skipped = Infinity;
  for (const [token] of text.matchAll(tokens)) {
    const level = levels.at(-1);
    if (levels.length <= skipped && (token === ',' || token === '}')) skipped = Infinity;
    if (token === '{' || token === '[') {
      levels.push({ names: token === '{' ? new Set() : undefined, path: level === undefined ? '' : placeOf(level), name: '', index: 0 });
    } else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && level !== undefined) level.index += 1;
    else if (token === ':' && level !== undefined && skipped === Infinity) {
      level.name = JSON.parse(last) as string;
      const place = placeOf(level);
      if (unknown.has(place)) {
        found.add(`unknown field "${place}"`);
        skipped = levels.length;
      } else if (level.names?.has(level.name) === true) found.add(`duplicate field "${place}"`);
      level.names?.add(level.name);
    }
    last = token;
  }
  return [...found];
}

const [colon, quote] = [0x3a, 0x22];
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The number of colons after a quotation mark: an upper bound for the number of names, since strings may contain this sequence. */
function likelyNames(json: Buffer): number {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] !== colon) continue;
    let before = at - 1;
    while (spaces.has(json[before] ?? 0)) before -= 1;
    if (json[before] === quote) count += 1;
  }
  return count;
}

/** Errors about names in a JSON text: duplicate names in one object, and `unknown` fields. `parsed` is the parsed text. */
export function strictProblems(json: Buffer, parsed: Json, unknown: readonly string[] = []): readonly string[] {
  return unknown.length > 0 || likelyNames(json) > namesIn(parsed) ? scan(json.toString(), new Set(unknown)) : [];
}
