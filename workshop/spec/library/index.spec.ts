import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { entries, houses } from '../../tools/houses.js';

/** The names that an entry exports one by one, types included. `export type *` is for the generated kinds. */
function namesOf(entry: string): string[] {
  const text = readFileSync(entries.find(({ name }) => name === entry)?.source ?? '', 'utf8');
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      .filter((name) => name !== ''),
  );
}

describe('the entries', () => {
  it.each(entries)('$name loads', async ({ name }) => {
    expect(await import(name)).toBeDefined();
  });

  // A name is public if users write it. Options and results that are written in place, or inferred, have none; workshop/consumers/declarations.ts is a
  // program that exports results.
  it('have at most 80 names in the core beside the kinds, types counted, and 390 in all', () => {
    expect(namesOf('rx-informer').filter((name) => name !== 'resources').length).toBeLessThanOrEqual(80);
    expect(entries.flatMap(({ name }) => namesOf(name)).length).toBeLessThanOrEqual(390);
  });

  it.each(houses)('export each name of %s from one entry', (house) => {
    const all = entries.filter((entry) => entry.house === house).flatMap(({ name }) => namesOf(name));
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });
});
