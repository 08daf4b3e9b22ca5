import { entryOf } from '../entryOf.js';

/** Parts of a secret with at least this many characters are hidden; shorter secrets are not. */
const minPiece = 8;
/** How many secrets are remembered, the most recently used ones: a token that is renewed every hour stays hidden for four days. */
const maxSecrets = 100;
/** Headers cannot be longer. */
const longestSecret = 64 * 1024;

/** Any eight characters contain five that begin at a multiple of four. */
const gramLength = 5;
const gramStep = 4;

const sent = new Set<string>();
let index: SecretIndex | undefined;

/** An index of the secrets in all the forms in which they may be quoted. */
interface SecretIndex {
  /** The forms, concatenated with a separator that matches no text. */
  readonly pool: string;
  /** Positions in the pool, by the hash of the five characters there. */
  readonly places: ReadonlyMap<number, readonly number[]>;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The forms in which a server may quote a secret: plain, URL-encoded, in JSON, and in base64 at each of the three byte offsets. */
function formsOf(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const inUrl = encodeURIComponent(new TextDecoder().decode(bytes));
  const inBase64 = [0, 1, 2].map((offset) => {
    const moved = new Uint8Array(offset + bytes.length);
    moved.set(bytes, offset);
    return base64(moved)
      .slice(offset === 0 ? 0 : offset + 1)
      .replace(/=+$/, '');
  });
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)].filter((form) => form.length >= minPiece);
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + gramLength; next += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(next)) | 0;
  return hash;
}

function makeIndex(): SecretIndex {
  const places = new Map<number, number[]>();
  const forms = [...sent].flatMap(formsOf);
  const pool = forms.map((form) => `${form}\0`).join('');
  let start = 0;
  for (const { length } of forms) {
    for (let at = start; at + gramLength <= start + length; at += gramStep) {
      entryOf(places, hashAt(pool, at), () => []).push(at);
    }
    start += length + 1;
  }
  return { pool, places };
}

/** The longest part of a secret around a position of the text where five characters match. */
function pieceAt(text: string, at: number, { pool, places }: SecretIndex): readonly [start: number, end: number] | undefined {
  let longest: readonly [number, number] | undefined;
  for (const place of places.get(hashAt(text, at)) ?? []) {
    let before = 0;
    while (before < gramStep && at > before && pool[place - before - 1] !== '\0' && text[at - before - 1] === pool[place - before - 1])
      before += 1;
    let after = 0;
    while (at + after < text.length && pool[place + after] !== '\0' && text[at + after] === pool[place + after]) after += 1;
    if (before + after >= minPiece && at + after > (longest?.[1] ?? 0)) longest = [at - before, at + after];
  }
  return longest;
}

/** The parts of a text that belong to secrets, in order. */
function piecesIn(text: string): readonly (readonly [start: number, end: number])[] {
  if (sent.size === 0 || text.length < minPiece) return [];
  index ??= makeIndex();
  const pieces: (readonly [number, number])[] = [];
  for (let at = 0; at + gramLength <= text.length;) {
    const piece = pieceAt(text, at, index);
    if (piece !== undefined) pieces.push(piece);
    at = piece === undefined ? at + 1 : piece[1];
  }
  return pieces;
}

/**
 * Registers a secret before it is sent, so that it is hidden in every text that quotes it. One with less than eight characters could be an ordinary word, and is
 * not hidden.
 */
export function rememberSecret(secret: string): void {
  if (secret.length < minPiece || secret.length > longestSecret) return;
  // The set is in order of use: the least recently used secret is dropped first.
  if (!sent.delete(secret)) index = undefined;
  sent.add(secret);
  if (sent.size > maxSecrets) for (const oldest of [...sent].slice(0, sent.size - maxSecrets)) sent.delete(oldest);
}

/**
 * Replaces the secrets that this process has sent, and every part of eight or more characters, by `***`. The texts belong together: a part may begin at the end of
 * one and continue in the next.
 */
export function hideSent(texts: readonly string[]): readonly string[] {
  const pieces = piecesIn(texts.join(''));
  let start = 0;
  return texts.map((text) => {
    const end = start + text.length;
    let result = '';
    let shown = start;
    for (const [from, to] of pieces) {
      if (to <= start || from >= end) continue;
      result += `${text.slice(shown - start, Math.max(from, start) - start)}***`;
      shown = Math.min(to, end);
    }
    result += text.slice(shown - start);
    start = end;
    return result;
  });
}
