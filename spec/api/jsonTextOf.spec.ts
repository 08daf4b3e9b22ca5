import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonTextOf } from '../../src/api/jsonTextOf.js';

/** Makes `JSON.stringify` give up, as it does at objects deeper than the stack. */
function withoutStack<R>(work: () => R): R {
  const original = JSON.stringify;
  JSON.stringify = ((value: unknown) => {
    if (typeof value === 'object' && value !== null) throw new RangeError('Maximum call stack size exceeded');
    return original(value);
  }) as typeof JSON.stringify;
  try {
    return work();
  } finally {
    JSON.stringify = original;
  }
}

describe('jsonTextOf', () => {
  it('writes what JSON.stringify writes', () => {
    const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true, maxDepth: 4 });
    fc.assert(
      fc.property(anything, (value) => {
        const expected = JSON.stringify(value) as string | undefined;
        fc.pre(expected !== undefined);
        expect(withoutStack(() => jsonTextOf(value))).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('writes what is nested deeper than the stack', () => {
    const text = `${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    expect(jsonTextOf(JSON.parse(text))).toBe(text);
  });

  it('throws what JSON.stringify throws otherwise', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => jsonTextOf(circle)).toThrow(TypeError);
    expect(() => jsonTextOf({ big: 1n })).toThrow(TypeError);
  });
});
