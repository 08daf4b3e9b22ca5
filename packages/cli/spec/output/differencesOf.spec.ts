import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differenceLine, differencesOf } from '../../src/output/differencesOf.js';
import { textOf } from '../../src/output/line.js';

const shown = (before: unknown, after: unknown): string[] => differencesOf(before, after).map((one) => textOf(differenceLine(one)));

describe('differencesOf', () => {
  it('names what came, went and changed', () => {
    expect(shown({ a: 1, b: { c: 'x' }, 'd.e/f': 1 }, { b: { c: 'y' }, 'd.e/f': 2, g: [1] })).toEqual([
      '- .a: 1',
      '~ .b.c: "x" → "y"',
      '~ ["d.e/f"]: 1 → 2',
      '+ .g: [1]',
    ]);
  });

  it('compares the items of lists by what identifies them', () => {
    const condition = (type: string, status: string) => ({ type, status });
    expect(
      shown(
        { conditions: [condition('Ready', 'False'), condition('Gone', 'True')] },
        { conditions: [condition('New', 'True'), condition('Ready', 'True')] },
      ),
    ).toEqual([
      '~ .conditions[Ready].status: "False" → "True"',
      '- .conditions[Gone]: {"type":"Gone","status":"True"}',
      '+ .conditions[New]: {"type":"New","status":"True"}',
    ]);
    expect(shown({ args: ['a', 'b'] }, { args: ['a', 'c', 'd'] })).toEqual(['~ .args[1]: "b" → "c"', '+ .args[2]: "d"']);
  });

  it('leaves out what every write changes', () => {
    expect(shown({ metadata: { resourceVersion: '1', generation: 1 } }, { metadata: { resourceVersion: '2', generation: 2 } })).toEqual([
      '~ .metadata.generation: 1 → 2',
    ]);
  });

  it('lets no terminal act on what a server sent', () => {
    expect(shown({}, { '\u001b[31m': '\u009b\u2028' })).toEqual(['+ ["\\u001b[31m"]: "\\u009b\\u2028"']);
  });

  it('finds nothing exactly where values are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(differencesOf(before, structuredClone(before))).toEqual([]);
        expect(differencesOf({ before }, { before: after }).length === 0).toBe(
          JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)),
        );
      }),
    );
  });
});

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
