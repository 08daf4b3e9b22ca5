import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { parseYaml } from '../../src/http/parseYaml.js';

/** How the processor time of reading grows from a text to one sixteen times as long: 16 is linear, 256 its square. */
function growth(textOf: (length: number) => string): number {
  const cost = (length: number): number => {
    const text = textOf(length);
    const begun = process.cpuUsage();
    try {
      parseYaml(text);
    } catch {
      // Most of them are not valid YAML.
    }
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  cost(10_000);
  return cost(160_000) / Math.max(cost(10_000), 1_000);
}

describe('parseYaml', () => {
  it.each([
    ['quotation marks', (length: number) => '"'.repeat(length)],
    ['commas', (length: number) => `[${','.repeat(length)}`],
    ['brackets', (length: number) => `a: ${'['.repeat(length)}`],
    ['braces', (length: number) => '{'.repeat(length)],
    ['dashes', (length: number) => `${'- '.repeat(length / 2)}a`],
    ['documents', (length: number) => '---\n'.repeat(length / 4)],
  ])('reads %s in a time that grows with the text', (_, textOf) => {
    let least = Infinity;
    // Measured again, in case the machine was busy with something else.
    for (let turn = 0; turn < 3 && least >= 80; turn += 1) least = Math.min(least, growth(textOf));
    expect(least).toBeLessThan(80);
  });

  it('reads a map of 50,000 names, which compared with each other would be 1,250,000,000 pairs', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `k${String(at)}: v`).join('\n');
    const begun = process.cpuUsage();
    expect(Object.keys(parseYaml(text).value as object)).toHaveLength(50_000);
    expect(process.cpuUsage(begun).user).toBeLessThan(20_000_000);
  });

  it('refuses what nests deeper than 500 levels, in blocks and in brackets, before anything recurses', () => {
    for (const depth of [501, 5_000]) {
      expect(() => parseYaml(`${'['.repeat(depth)}1${']'.repeat(depth)}`)).toThrow('exceeded max depth');
      expect(() => parseYaml(`${'- '.repeat(depth)}1`)).toThrow('exceeded max depth');
    }
    expect(parseYaml(`${'['.repeat(400)}1${']'.repeat(400)}`).value).toHaveLength(1);
  });

  it('reads the first of several documents', () => {
    expect(parseYaml('a: 1\n---\na: 2\n').value).toEqual({ a: 1 });
  });

  it('says where the first mistake stands', () => {
    expect(() => parseYaml('a: 1\nb: "x" y\n')).toThrow(/ at line 2, column 8$/);
  });

  it('takes the last of two values of a name, and says which line has the second', () => {
    expect(parseYaml('data:\n  a: 1\n  b: 2\n  a: 3\n')).toEqual({
      value: { data: { a: 3, b: 2 } },
      duplicates: ['line 4: key "a" already set in map'],
    });
  });

  it('takes the words of the older YAML for true and false', () => {
    expect(parseYaml('[y, No, on, OFF, "yes", yesterday, oN]').value).toEqual([true, false, true, false, 'yes', 'yesterday', 'oN']);
  });

  it('reads back any JSON that is written as YAML, whatever its names are', () => {
    const value = fc.jsonValue({ maxDepth: 6 }).map((json) => JSON.parse(JSON.stringify(json)) as unknown);
    fc.assert(
      fc.property(value, (json) => {
        // Words with a meaning in YAML 1.1 only are quoted, too.
        expect(parseYaml(stringify(json, { schema: 'yaml-1.1', aliasDuplicateObjects: false })).value).toEqual(json);
      }),
    );
  });
});
