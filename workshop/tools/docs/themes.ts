import { readFileSync } from 'node:fs';
import { entries } from '../houses.js';

/** The theme of exports before the first comment of an entry. */
const unnamed = 'All of it';

/** The themes of an entry, in order, with the names of each: comments in its file group the exports. */
export function themesOf(entry: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(entries.find(({ name }) => name === entry)?.source ?? '', 'utf8');
  const themes = new Map<string, string[]>();
  let theme = unnamed;
  for (const [, comment, names] of text.matchAll(/^\/\/ (.+)$|^export (?:type )?\{([^}]*)\}/gm)) {
    if (comment !== undefined) theme = comment.startsWith('The entry ') ? unnamed : comment;
    else {
      const exported = (names ?? '').split(',').map((name) => name.replace(/\btype\b|\s|.*\bas\b/g, ''));
      themes.set(theme, [...(themes.get(theme) ?? []), ...exported.filter((name) => name !== '')]);
    }
  }
  return themes;
}
