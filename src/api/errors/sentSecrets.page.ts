/** Parts of a secret with at least this many characters are hidden; shorter secrets are not. */
const minPiece = 8;
/** A page has one token at a time; older ones may still be quoted. */
const maxSecrets = 4;

let sent: readonly string[] = [];
let pieces: ReadonlySet<string> | undefined;

/** Registers a secret before it is sent, so that it is hidden in every text that quotes it. */
export function rememberSecret(secret: string): void {
  if (secret.length < minPiece || sent.includes(secret)) return;
  sent = [...sent, secret].slice(-maxSecrets);
  pieces = undefined;
}

const windowsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - minPiece + 1) }, (_, at) => text.slice(at, at + minPiece));

/** Replaces every part of eight or more characters of a secret by `***`. The texts belong together. */
export function hideSent(texts: readonly string[]): readonly string[] {
  if (sent.length === 0) return texts;
  pieces ??= new Set(sent.flatMap((secret) => [secret, encodeURIComponent(secret)]).flatMap(windowsOf));
  const whole = texts.join('');
  const hidden = new Set<number>();
  for (const [at, window] of windowsOf(whole).entries()) {
    if (pieces.has(window)) for (let next = at; next < at + minPiece; next += 1) hidden.add(next);
  }
  let start = 0;
  return texts.map((text) => {
    const shown = Array.from({ length: text.length }, (_, at) => (hidden.has(start + at) ? '\0' : text.charAt(at)));
    start += text.length;
    return shown.join('').replace(/\0+/g, '***');
  });
}
