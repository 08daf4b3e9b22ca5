import { describe, expect, it } from '@jest/globals';

import { deepFreeze } from '../../src/api/deepFreeze.js';

describe('deepFreeze', () => {
  it('freezes objects and arrays at every depth, and returns what it was given', () => {
    const object = { a: { b: [{ c: 1 }, [2]] }, n: null, u: undefined, s: 'x' };
    expect(deepFreeze(object)).toBe(object);
    for (const part of [object, object.a, object.a.b, ...object.a.b]) expect(Object.isFrozen(part)).toBe(true);
    expect(() => {
      object.a.b.push([3]);
    }).toThrow(TypeError);
  });

  it('does not look into what is frozen already', () => {
    const inner = { deep: {} };
    deepFreeze({ shared: Object.freeze(inner) });
    expect(Object.isFrozen(inner.deep)).toBe(false);
  });

  it('returns values that are no objects, and leaves what cannot be frozen', () => {
    for (const value of [1, 'a', null, undefined]) expect(deepFreeze(value)).toBe(value);
    const bytes = new Uint8Array(2);
    expect(deepFreeze({ bytes }).bytes).toBe(bytes);
  });

  it('freezes objects deeper than the stack', () => {
    const object = JSON.parse(`${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`) as { a: unknown[] };
    deepFreeze(object);
    let part: unknown = object;
    while (typeof part === 'object' && part !== null && Object.isFrozen(part)) part = Object.values(part)[0];
    expect(part).toBeUndefined();
  });

  it('leaves alone what an object inherits', () => {
    const inherited = { settings: {} };
    const object = Object.assign(Object.create(inherited) as { own?: object; settings: object }, { own: {} });
    deepFreeze(object);
    expect([object, object.own, object.settings, inherited].map((part) => Object.isFrozen(part))).toEqual([true, true, false, false]);
  });

  it('ends for an object that contains itself', () => {
    const object: { self?: object } = {};
    object.self = object;
    expect(Object.isFrozen(deepFreeze(object))).toBe(true);
  });
});
