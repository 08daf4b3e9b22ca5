import { hideSent } from './sentSecrets.js';

/** Patterns of secrets: by their form, or by the name before them. */
const looks: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 ***'],
  // A JSON Web Token, whole or cut off.
  [/\beyJ[\w-]{5,}(\.[\w-]*){0,2}/g, '***'],
  // A value after a revealing name: in a query or an environment, in JSON, and in plain text where it is unambiguous.
  [/\b([\w-]*(?:token|password|passwd|secret|api[_-]?key))=("[^"]*"?|'[^']*'?|[^\s"',;&]+)/gi, '$1=***'],
  [/("[\w-]*(?:token|password|passwd|secret|api[_-]?key|client-key-data)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi, '$1"***"'],
  [/\b((?:access|refresh|id)[_-]token|client[_-]secret|password)(:\s+)[^\s"',;]+/gi, '$1$2***'],
  // User and password in a URL.
  [/(:\/\/)[^/@\s]+@/g, '$1***@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***'],
];

/** Characters that affect a terminal or log reader without being visible: control characters, line ends, and changes of text direction. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a text for one line of a terminal: `\n` for a line feed, `\u001b` for an escape character. */
export function escapeControls(text: string): string {
  return text.replace(unprintable, (character) => shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How many characters of a text are searched. */
const lookedAt = 8 * 1024;
/** Room for the note about the length that was cut off. */
const noteBytes = 40;

/** Cuts a text to a number of bytes of UTF-8, with a note of the length that was cut off. */
function capped(text: string, unseen: number, maxBytes: number): string {
  const most = new Uint8Array(maxBytes);
  const fits = (buffer: Uint8Array) => new TextEncoder().encodeInto(text, buffer).read;
  if (unseen === 0 && fits(most) === text.length) return text;
  const shown = fits(most.subarray(noteBytes));
  return `${text.slice(0, shown)}… (${text.length - shown + unseen} characters cut)`;
}

/**
 * Makes foreign texts safe for errors and logs: redacted, on one line without control characters, and at most 1,024 bytes long each. The only
 * function that does so; it is idempotent.
 *
 * Secrets are recognized by their value (`rememberSecret`), by their form, and by the name before them.
 */
export function foreignTexts(texts: readonly string[], maxBytes = 1024): readonly string[] {
  const seen = hideSent(texts.map((text) => text.slice(0, lookedAt)));
  return seen.map((text, at) => {
    const hidden = looks.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
    return capped(escapeControls(hidden), Math.max(0, (texts[at]?.length ?? 0) - lookedAt), maxBytes);
  });
}

/** Makes one foreign text safe for errors and logs. */
export function foreignText(text: string, maxBytes?: number): string {
  return foreignTexts([text], maxBytes)[0] ?? '';
}
