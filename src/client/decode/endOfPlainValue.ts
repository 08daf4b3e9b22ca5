const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const digitZero = 0x30;
const digitNine = 0x39;

const maxDepth = 100;

/**
 * The bytes that stand for themselves in a string: ASCII without `"`, `\` and control characters; 1 for each of them.
 */
const isPlain: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte < 0x7f && byte !== quote && byte !== backslash),
);
/** What may stand behind a backslash, but for `u`. */
const isEscape = Uint8Array.from({ length: 256 }, (_, byte) => Number('"\\/bfnrt'.includes(String.fromCharCode(byte))));

const literals = ['true', 'false', 'null'].map((word) => new TextEncoder().encode(word));

/** The index behind the string that begins at `at`, if it is certainly one; -1 otherwise. */
export function endOfPlainString(json: Uint8Array, at: number): number {
  for (let next = at + 1; ; next += 1) {
    while (isPlain[json[next] as number] === 1) next += 1;
    if (json[next] === quote) return next + 1;
    if (json[next] !== backslash) return -1;
    next += 1;
    if (isEscape[json[next] as number] !== 1) return -1;
  }
}

function endOfInteger(json: Uint8Array, at: number): number {
  let next = at;
  for (let byte = json[next] as number; byte >= digitZero && byte <= digitNine; byte = json[next] as number) next += 1;
  // A zero in front is no JSON.
  return next === at || (json[at] === digitZero && next > at + 1) ? -1 : next;
}

function endOfScalar(json: Uint8Array, at: number): number {
  for (const literal of literals) if (literal.every((byte, index) => json[at + index] === byte)) return at + literal.length;
  return endOfInteger(json, at);
}

function endOfParts(json: Uint8Array, at: number, depth: number): number {
  const named = json[at] === openBrace;
  const close = named ? closeBrace : closeBracket;
  let next = at + 1;
  if (json[next] === close) return next + 1;
  for (; ; next += 1) {
    if (named) {
      if (json[next] !== quote) return -1;
      next = endOfPlainString(json, next);
      if (next === -1 || json[next] !== colon) return -1;
      next += 1;
    }
    next = endOfPlainValue(json, next, depth + 1);
    if (next === -1) return -1;
    if (json[next] === close) return next + 1;
    if (json[next] !== comma) return -1;
  }
}

/**
 * The index behind the JSON value that begins at `at`, if it is certainly one: -1 for anything unusual, which is then for the parser to judge.
 *
 * Usual is what API servers write where nobody writes text: ASCII without white space, integers, no `\u`.
 */
export function endOfPlainValue(json: Uint8Array, at: number, depth = 0): number {
  const first = json[at];
  if (first === quote) return endOfPlainString(json, at);
  if (first === openBrace || first === openBracket) return depth < maxDepth ? endOfParts(json, at, depth) : -1;
  return endOfScalar(json, at);
}
