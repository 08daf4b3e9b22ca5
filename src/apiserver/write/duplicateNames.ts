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

function scan(text: string): readonly string[] {
  const found: string[] = [];
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
      if (level.names?.has(level.name) === true) found.push(placeOf(level));
      level.names?.add(level.name);
    }
    last = token;
  }
  return found;
}

const [colon, quote] = [0x3a, 0x22];
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** How many colons stand behind a quotation mark: at least as many as there are names, since strings may hold what looks like one. */
function likelyNames(json: Buffer): number {
  let count = 0;
  for (let at = json.indexOf(colon); at >= 0; at = json.indexOf(colon, at + 1)) {
    let before = at - 1;
    while (spaces.has(json[before] ?? 0)) before -= 1;
    if (json[before] === quote) count += 1;
  }
  return count;
}

/** The paths of names that stand more than once in one object of a JSON text; `parsed` is what the text says. */
export function duplicateNames(json: Buffer, parsed: Json): readonly string[] {
  return likelyNames(json) > namesIn(parsed) ? [...new Set(scan(json.toString()))] : [];
}
