import { hideSent } from './sentSecrets.js';

/** What is taken for a secret by its looks or by the name before it. */
const looks: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 ***'],
  // A JSON Web Token, whole or cut off.
  [/\beyJ[\w-]{5,}(\.[\w-]*){0,2}/g, '***'],
  // A value under a telling name: in a query or an environment, in JSON, and as plain words where nothing else can be meant.
  [/\b([\w-]*(?:token|password|passwd|secret|api[_-]?key))=("[^"]*"?|'[^']*'?|[^\s"',;&]+)/gi, '$1=***'],
  [/("[\w-]*(?:token|password|passwd|secret|api[_-]?key|client-key-data)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi, '$1"***"'],
  [/\b((?:access|refresh|id)[_-]token|client[_-]secret|password)(:\s+)[^\s"',;]+/gi, '$1$2***'],
  // User and password in a URL.
  [/(:\/\/)[^/@\s]+@/g, '$1***@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***'],
];

/** What a terminal or a reader of logs would act on and not show: control characters, ends of lines, and what turns the direction of text. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text in one line that no terminal acts on: `\n` in place of a line feed, `\u001b` in place of an escape character. */
export function escapeControls(text: string): string {
  return text.replace(unprintable, (character) => shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How much of a text is looked at: enough for what a secret at the border is known by. */
const lookedAt = 8 * 1024;
/** Room for the words about what is cut. */
const noteBytes = 40;

/** A text that is cut to a number of bytes of UTF-8; it says how much was cut. */
function capped(text: string, unseen: number, mostBytes: number): string {
  const most = new Uint8Array(mostBytes);
  const fits = (buffer: Uint8Array) => new TextEncoder().encodeInto(text, buffer).read;
  if (unseen === 0 && fits(most) === text.length) return text;
  const shown = fits(most.subarray(noteBytes));
  return `${text.slice(0, shown)}… (${text.length - shown + unseen} characters cut)`;
}

/**
 * Texts from outside, as they may stand in errors and logs: without secrets, in one line that no terminal acts on, and of at most 1,024 bytes each. It is the only
 * place that does so; a text that has gone through it once does not change when it does again.
 *
 * Secrets are known by their value (`rememberSecret`), by their looks, and by the name before them.
 */
export function foreignTexts(texts: readonly string[], mostBytes = 1024): readonly string[] {
  const seen = hideSent(texts.map((text) => text.slice(0, lookedAt)));
  return seen.map((text, at) => {
    const hidden = looks.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
    return capped(escapeControls(hidden), Math.max(0, (texts[at]?.length ?? 0) - lookedAt), mostBytes);
  });
}

/** One text from outside, as it may stand in errors and logs. */
export function foreignText(text: string, mostBytes?: number): string {
  return foreignTexts([text], mostBytes)[0] ?? '';
}
