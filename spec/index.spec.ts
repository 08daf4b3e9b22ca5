import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { entries } from '../tools/entries.js';

/** The names that an entry exports one by one, types included. `export type *` is for the generated kinds. */
function namesOf(file: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../src/${file}.ts`, import.meta.url)), 'utf8');
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
  it.each([...entries])('%s loads', async (_, file) => {
    expect(await import(`../src/${file}.js`)).toBeDefined();
  });

  it('has at most 100 names in the core, types counted', () => {
    expect(namesOf('index').length).toBeLessThanOrEqual(100);
  });

  it('exports each name from one entry', () => {
    const all = [...entries.values()].flatMap(namesOf);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });
});
