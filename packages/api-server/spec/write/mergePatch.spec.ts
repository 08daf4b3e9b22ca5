import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../src/json.js';
import { applyMergePatch } from '../../src/write/mergePatch.js';

describe('applyMergePatch', () => {
  const list: Json = [null, { a: null, b: [{ c: null, d: 1 }] }];

  it.each<[string, Json | undefined, Json]>([
    ['is new', undefined, { x: [null, { b: [{ d: 1 }] }] }],
    ['replaces a list', { x: [1] }, { x: [null, { b: [{ d: 1 }] }] }],
    ['replaces a scalar', { x: 1 }, { x: [null, { b: [{ d: 1 }] }] }],
    ['replaces an object', { x: { y: 1 } }, { x: list }],
  ])('leaves nulls out of the objects of a list that %s, and not of one that replaces an object (row 71)', (_, before, after) => {
    expect(applyMergePatch(before, { x: list })).toEqual(after);
  });
});
