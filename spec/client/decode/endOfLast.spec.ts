import { describe, expect, it } from '@jest/globals';
import { endOfLast } from '../../../src/client/decode/objectReader.js';

const utf8 = new TextEncoder();
const one = '{"metadata":{"name":"a"},"spec":{}}';

describe('endOfLast', () => {
  it.each([
    ['three, of which the last may go on', `${one},${one},${one}`, 2 * one.length + 1],
    ['two, of which the last has only begun', `${one},{"metadata":`, one.length],
    ['objects within the last one', `${one},{"metadata":{},"a":[{"b":1},{"c":{}},{`, one.length],
    ['one alone', one, -1],
    ['one, and too little of the next', `${one},{"metada`, -1],
    ['one with others like it inside', '{"metadata":{},"items":[1,{"metadata":{}},[{"metadata":{}}],{"metadata":{}', -1],
    ['none', '', -1],
  ])('finds the end of the last whole one of %s', (_, text, expected) => {
    const before = '{"items":[';
    expect(endOfLast(utf8.encode(text), 0)).toBe(expected);
    expect(endOfLast(utf8.encode(before + text), before.length)).toBe(expected === -1 ? -1 : before.length + expected);
  });
});
