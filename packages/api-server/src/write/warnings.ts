import type { ServerResponse } from 'node:http';

/** The maximum number of characters of all warnings together, and of one warning if the limit is exceeded. */
const maxCharacters = 4_096;
const maxOfOne = 256;

/** The UTF-8 bytes of a text in the form for a header: one character per byte. */
function headerText(text: string): string {
  // JSON does not escape this character, but headers cannot contain it.
  const quoted = JSON.stringify(text).replaceAll('\u007f', '\\u007f');
  return Buffer.from(quoted).toString('latin1');
}

function shortened(texts: Iterable<string>): readonly string[] {
  const all: string[] = [];
  let [whole, cut] = [0, 0];
  for (const text of texts) {
    all.push(text);
    whole += text.length;
    cut += Math.min(text.length, maxOfOne);
    // No further text has room, and there can be one for each pair of ports.
    if (cut > maxCharacters) break;
  }
  if (whole <= maxCharacters) return all;
  const kept: string[] = [];
  let left = maxCharacters;
  for (const text of all.map((one) => Array.from(one).slice(0, maxOfOne).join(''))) {
    left -= text.length;
    if (left < 0) break;
    kept.push(text);
  }
  return kept;
}

/** Adds warnings to the headers of an answer. */
export function warn(response: ServerResponse, texts: Iterable<string>): void {
  const shown = shortened(texts);
  if (shown.length === 0) return;
  const known = response.getHeader('warning') ?? [];
  response.setHeader('warning', [known, shown.map((text) => `299 - ${headerText(text)}`)].flat().map(String));
}
