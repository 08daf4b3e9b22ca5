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

/** The errors about names that occur twice in an object of a JSON text. */
function duplicates(text: string): readonly string[] {
  const found = new Set<string>();
  const levels: Level[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      levels.push({ names: token === '{' ? new Set() : undefined, path: level === undefined ? '' : placeOf(level), name: '', index: 0 });
    } else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && level !== undefined) level.index += 1;
    else if (token === ':' && level !== undefined) {
      level.name = JSON.parse(last) as string;
      if (level.names?.has(level.name) === true) found.add(`duplicate field "${placeOf(level)}"`);
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

/** Errors about names that occur twice in one object of a JSON text; `parsed` is the parsed text. */
export function strictProblems(json: Buffer, parsed: Json): readonly string[] {
  return likelyNames(json) > namesIn(parsed) ? duplicates(json.toString()) : [];
}
