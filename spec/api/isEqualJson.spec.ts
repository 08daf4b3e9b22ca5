import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isEqualJson } from '../../src/api/isEqualJson.js';

describe('isEqualJson', () => {
  it.each([1, 2, 300])('takes values that contain themselves as different, and ends (%s references)', (count) => {
    const make = (): object => {
      const circle: Record<string, unknown> = {};
      for (let at = 0; at < count; at += 1) circle[`self ${at}`] = circle;
      return circle;
    };
    expect(isEqualJson(make(), make())).toBe(false);
    const one = make();
    expect(isEqualJson([one], [one])).toBe(true);
  });

  it.each<readonly [unknown, unknown, boolean]>([
    [1, 1, true],
    [1, 2, false],
    [NaN, NaN, true],
    [1, '1', false],
    [null, null, true],
    [null, {}, false],
    [{}, null, false],
    [undefined, {}, false],
    ['text', {}, false],
    [{}, 'text', false],
    [[], [], true],
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[1, 2], [3, 2], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[], {}, false],
    [{}, [], false],
    [{ 0: 'a', length: 1 }, ['a'], false],
    [{}, {}, true],
    [{ a: 1 }, { a: 1 }, true],
    [[0], [-0], false],
    [[0], [0], true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [{ a: 1, b: 2 }, { a: 3, b: 2 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: undefined }, { b: 1 }, false],
    [{ a: [{ b: null }] }, { a: [{ b: null }] }, true],
    [{ a: [{ b: null }] }, { a: [{ b: 0 }] }, false],
    [new Map([[1, 1]]), new Map([[1, 1]]), false],
    [{}, new Map(), false],
  ])('of %j and %j', (a, b, equal) => {
    expect(isEqualJson(a, b)).toBe(equal);
    expect(isEqualJson(b, a)).toBe(equal);
  });

  it.each([
    ['arrays', (inner: unknown) => [1, inner]],
    ['objects', (inner: unknown) => ({ a: 1, b: inner })],
  ])('of %s as deep as no stack is, and just so deep that it matters', (_, around) => {
    const nested = (depth: number, innermost: unknown): unknown => {
      let value = innermost;
      for (let level = 0; level < depth; level += 1) value = around(value);
      return value;
    };
    for (const depth of [199, 200, 201, 202, 403, 100_000]) {
      expect(isEqualJson(nested(depth, 'x'), nested(depth, 'x'))).toBe(true);
      expect(isEqualJson(nested(depth, 'x'), nested(depth, 'y'))).toBe(false);
      expect(isEqualJson(nested(depth, { z: 1 }), nested(depth, { z: 2 }))).toBe(false);
    }
  });

  it('says of JSON what a deep comparison says', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(isEqualJson(a, b)).toBe(isDeepStrictEqual(a, b));
        expect(isEqualJson(a, structuredClone(a))).toBe(true);
      }),
    );
  });
});
