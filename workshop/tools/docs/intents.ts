import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from './paths.js';

/** Questions of readers, and the pages that answer them. */
export const intents: readonly { readonly ask: string; readonly find: readonly string[] }[] = JSON.parse(
  readFileSync(join(paths.site, 'intents.json'), 'utf8'),
) as never;

/** Additional search words of a page. */
export function wordsFor(page: string): string {
  return intents
    .filter(({ find }) => find.includes(page))
    .map(({ ask }) => ask)
    .join(' ');
}
