import type { ServerResponse } from 'node:http';

/** How many characters of warnings are sent at most, and how many of one warning where there are more. */
const mostCharacters = 4_096;
const mostOfOne = 256;

/** The bytes of a text in UTF-8 as a header takes them: one character for each. */
function headerText(text: string): string {
  // What JSON leaves as it is and a header cannot hold.
  const quoted = JSON.stringify(text).replaceAll('\u007f', '\\u007f');
  return Buffer.from(quoted).toString('latin1');
}

function shortened(texts: readonly string[]): readonly string[] {
  if (texts.reduce((sum, { length }) => sum + length, 0) <= mostCharacters) return texts;
  const kept: string[] = [];
  let left = mostCharacters;
  for (const text of texts.map((one) => Array.from(one).slice(0, mostOfOne).join(''))) {
    left -= text.length;
    if (left < 0) break;
    kept.push(text);
  }
  return kept;
}

/** Sends warnings along with an answer, beside those that are there already. */
export function warn(response: ServerResponse, texts: readonly string[]): void {
  const known = response.getHeader('warning') ?? [];
  response.setHeader('warning', [known, shortened(texts).map((text) => `299 - ${headerText(text)}`)].flat().map(String));
}
