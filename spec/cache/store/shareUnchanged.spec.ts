import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';

import { deepFreeze } from '../../../src/api/deepFreeze.js';
import { shareUnchanged } from '../../../src/cache/store/shareUnchanged.js';
import { runs } from '../../tier.js';

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Text that does not depend on the order of properties. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, property]) => `${JSON.stringify(key)}:${canonical(property)}`).join()}}`;
}

/** Calls `visit` with the parts at the same place in both. */
function walk(before: unknown, after: unknown, visit: (before: unknown, after: unknown) => void): void {
  visit(before, after);
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null || before === after) return;
  if (Array.isArray(before) !== Array.isArray(after)) return;
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key)) walk(Reflect.get(before, key), Reflect.get(after, key), visit);
  }
}

const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString', 'length');
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, '', 'x', 'y'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
/** Pairs of similar values: the second is the first with one part replaced. */
const pair = fc.tuple(json, json, json, fc.nat(3)).map(
  ([a, b, c, shape]) =>
    [
      [a, b],
      [
        { a, b: [b, a], c },
        { a, b: [b, c], c: a },
      ],
      [
        { a, b, c },
        { a, b },
      ],
      [
        { a, b },
        { a, b, c },
      ],
    ][shape] ?? [],
);

describe('shareUnchanged', () => {
  it('keeps the identity of subtrees that have not changed', () => {
    const before = {
      metadata: { name: 'a', labels: { x: '1' } },
      spec: { containers: [{ image: 'i' }, { image: 'j' }] },
      status: { n: 1 },
    };
    const parsed = copyOf({
      ...before,
      metadata: { ...before.metadata, name: 'b' },
      spec: { containers: [{ image: 'i' }, { image: 'k' }] },
    });
    const after = shareUnchanged(before, parsed);
    expect(after).toBe(parsed);
    expect(after.metadata.labels).toBe(before.metadata.labels);
    expect(after.spec.containers[0]).toBe(before.spec.containers[0]);
    expect(after.status).toBe(before.status);
    expect(after.spec.containers[1]).toEqual({ image: 'k' });
    expect(after.metadata.name).toBe('b');
  });

  it('shares what is left when a property has gone', () => {
    const before = { a: { x: 1 }, b: 1 };
    const after = shareUnchanged<object>(before, { a: { x: 1 } });
    expect(after).toEqual({ a: { x: 1 } });
    expect((after as typeof before).a).toBe(before.a);
  });

  it('is the old object when nothing has changed, whatever the order of properties', () => {
    const before = { a: { b: [1, { c: null }] }, d: 'x' };
    expect(shareUnchanged(before, copyOf(before))).toBe(before);
    expect(shareUnchanged(before, { d: 'x', a: { b: [1, { c: null }] } })).toBe(before);
    expect(Object.isFrozen(before.a)).toBe(false);
  });

  it('has the value of the new object, shares every equal subtree, freezes what it shares and leaves the old object as it was', () => {
    fc.assert(
      fc.property(pair, fc.boolean(), fc.boolean(), ([oldValue, newValue], isOldFrozen, isNewFrozen) => {
        const before = copyOf(oldValue);
        const text = canonical(before);
        if (isOldFrozen) deepFreeze(before);
        const newer = copyOf(newValue);
        const after = shareUnchanged(before, isNewFrozen ? deepFreeze(newer) : newer);
        expect(isNewFrozen ? canonical(newer) : '').toBe(isNewFrozen ? canonical(newValue) : '');
        expect(canonical(after)).toBe(canonical(newValue));
        expect(canonical(before)).toBe(text);
        const unshared: unknown[] = [];
        const unfrozen: unknown[] = [];
        walk(before, after, (was, is) => {
          if (canonical(was) === canonical(is) && is !== was) unshared.push(is);
          if (after !== before && is === was && !Object.isFrozen(is)) unfrozen.push(is);
        });
        expect({ unshared, unfrozen }).toEqual({ unshared: [], unfrozen: [] });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('copies what is frozen in the new object where it differs in identity only, and leaves alone what needs no copy', () => {
    const before = { a: { x: [1] }, b: { y: [2], z: { w: 3 } }, c: [{ v: 4 }, { v: 5 }] };
    const after = deepFreeze({ a: { x: [1], z: 1 }, b: { y: [2], z: before.b.z, new: [] }, c: [{ v: 4 }, { v: 6 }] });
    const { a, c } = after;
    const result = shareUnchanged<object>(before, after) as typeof after;
    expect(result).toEqual(after);
    expect(result.a.x).toBe(before.a.x);
    expect(a.x).not.toBe(before.a.x);
    expect(result.b.y).toBe(before.b.y);
    expect(result.c[0]).toBe(before.c[0]);
    expect(result.c[1]).toBe(c[1]);
    const needsNone = deepFreeze({ b: before.b, a: before.a, c: [] });
    expect(shareUnchanged<object>(before, needsNone)).toBe(needsNone);
  });

  it('shares within the elements of a frozen array', () => {
    const before = { list: [{ v: 1, same: { x: 1 } }] };
    const after = deepFreeze({ list: [{ v: 2, same: { x: 1 } }] });
    const result = shareUnchanged<object>(before, after) as typeof after;
    expect(result).toEqual(after);
    expect(result.list[0]?.same).toBe(before.list[0]?.same);
  });

  it('takes __proto__ for a key like any other, and pollutes nothing', () => {
    const before = JSON.parse('{"a":{"__proto__":{"polluted":1}},"b":{}}') as { a: object };
    const result = shareUnchanged(before, JSON.parse('{"a":{"__proto__":{"polluted":1},"c":1},"b":{"__proto__":{}}}') as typeof before);
    expect(JSON.stringify(result)).toBe('{"a":{"__proto__":{"polluted":1},"c":1},"b":{"__proto__":{}}}');
    expect(Object.getPrototypeOf(result.a)).toBe(Object.prototype);
    const protoOf = (object: object): unknown => Object.getOwnPropertyDescriptor(object, '__proto__')?.value;
    expect(protoOf(result.a)).toBe(protoOf(before.a));
    expect({}).not.toHaveProperty('polluted');
    expect(Object.isFrozen(Object.prototype)).toBe(false);
  });

  it('tells an absent property from one that is undefined', () => {
    const before = { b: 1 };
    const after = { a: undefined, b: 1 };
    expect(shareUnchanged<object>(before, after)).toBe(after);
    expect(shareUnchanged<object>({ a: undefined }, { b: undefined })).toEqual({ b: undefined });
    expect(shareUnchanged<object>({ a: 1, c: 2 }, { a: 1, b: undefined })).toStrictEqual({ a: 1, b: undefined });
  });

  it('leaves instances of classes alone', () => {
    const [before, after] = [{ at: new Date(1) }, { at: new Date(2) }];
    expect(shareUnchanged(before, after).at.getTime()).toBe(2);
    const same = { at: new Date(1) };
    expect(shareUnchanged(before, same)).toBe(same);
  });

  it('does not confuse arrays with objects', () => {
    expect(shareUnchanged<unknown>({ 0: 'a' }, ['a'])).toEqual(['a']);
    expect(shareUnchanged<unknown>([], {})).toEqual({});
    expect(shareUnchanged<unknown>({ a: [] }, { a: {} })).toEqual({ a: {} });
  });

  it('shares the elements that both arrays begin with', () => {
    const before: object[] = [{ a: 1 }, { b: 2 }];
    const longer = shareUnchanged(before, [{ a: 1 }, { b: 2 }, { c: 3 }]);
    expect([longer.length, longer[0] === before[0], longer[1] === before[1]]).toEqual([3, true, true]);
    const shorter = shareUnchanged(before, [{ a: 1 }]);
    expect([shorter.length, shorter[0] === before[0]]).toEqual([1, true]);
  });

  it('shares down to a depth of 200, and takes objects deeper than the stack', () => {
    const nest = (depth: number, leaf: number): unknown => JSON.parse(`${'{"a":['.repeat(depth)}${leaf}${']}'.repeat(depth)}`);
    const shallow = nest(100, 1);
    expect(shareUnchanged(shallow, nest(100, 1))).toBe(shallow);
    const deep = nest(50_000, 1);
    expect(shareUnchanged(nest(50_000, 1), deep)).toBe(deep);
  });
});

/** A copy of JSON in which `-0` stays `-0`. */
function cloneOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cloneOf(part)]));
}

describe('zeros', () => {
  const anyZero = fc.constantFrom(0, -0, 1);
  const anyValue = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyZero,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
    ),
  })).value;

  it('stay the zeros that were sent, at any place', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (before, after) => {
        expect(isDeepStrictEqual(shareUnchanged(cloneOf(before), cloneOf(after)), after)).toBe(true);
      }),
      { numRuns: runs(4_000) },
    );
    const changed = shareUnchanged({ a: { x: 0, y: 1 }, b: [0, 1] }, { a: { x: -0, y: 1 }, b: [-0, 1] });
    expect([changed.a.x, changed.b[0]].map((zero) => Object.is(zero, -0))).toEqual([true, true]);
  });
});
