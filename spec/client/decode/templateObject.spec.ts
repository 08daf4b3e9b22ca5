import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Outline } from '../../../src/client/decode/outline.js';
import { ValueEnd } from '../../../src/client/decode/scan.js';
import { TemplateObject } from '../../../src/client/decode/templateObject.js';

const shape = { kind: 'Pod', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false } as const;
const head = '{"kind":"Pod","apiVersion":"v1","metadata":{},';

/** How many brackets and quotes the scan finds in some JSON. */
function formOf(text: string): number {
  const outline = new Outline(shape);
  const json = new TextEncoder().encode(text);
  const end = new ValueEnd().of(json, 0);
  outline.read(json, 0, true);
  outline.settle(json, end);
  return outline.form;
}

const settled = (text: string): number => new TemplateObject().settle(JSON.parse(text) as object);
const bodies = fc.json({ depthSize: 'medium', stringUnit: 'binary' });

describe('TemplateObject', () => {
  it('counts in an object what the scan counts in its JSON', () => {
    fc.assert(
      fc.property(bodies, bodies, (first, second) => {
        const text = `${head}"a":${first},"b":[${second}]}`;
        expect(settled(text)).toBe(formOf(text));
      }),
    );
  });

  it.each(['"a":1,"a":1', '"a":{"b":1,"c":2,"b":1}', '"a":[{"":"x","":"x"}]', '"__proto__":1,"__proto__":1', '"a":1,"\\u0061":1'])(
    'counts less where a key comes twice: %s',
    (text) => {
      expect(settled(`${head}${text}}`)).toBeLessThan(formOf(`${head}${text}}`));
    },
  );

  it('goes 64 levels deep, and says where there are more, with nothing frozen that has unfrozen parts', () => {
    expect(settled(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toBe(65);
    const deep = JSON.parse(`{"b":{"c":[]},"a":${'['.repeat(64)}${']'.repeat(64)}}`) as { a: unknown[]; b: object };
    expect(new TemplateObject().settle(deep)).toBe(-1);
    expect([deep, deep.a, deep.b].map(Object.isFrozen)).toEqual([false, false, true]);
  });

  /** The elements of an array that has gone through after these before. */
  const shared = (...all: readonly string[]): readonly unknown[][] => {
    const objects = new TemplateObject();
    return all.map((text) => {
      const { a } = JSON.parse(`{"a":${text}}`) as { a: unknown[] };
      objects.settle({ a });
      return a;
    });
  };

  it('keeps an element from the second time on that it comes', () => {
    const [first, second, third, fourth] = shared('[{"b":1}]', '[{"c":2},{"b":1}]', '[{"b":1},{"b":1}]', '[{"c":2}]');
    expect(second?.[1]).not.toBe(first?.[0]);
    expect(third).toEqual([second?.[1], second?.[1]]);
    expect(third?.map((each) => each === second?.[1])).toEqual([true, true]);
    expect(fourth?.[0]).not.toBe(second?.[0]);
  });

  it.each([
    ['0', '-0'],
    ['1', '"1"'],
    ['[]', '{}'],
    ['{"b":1,"c":2}', '{"c":1,"b":2}'],
    ['{"b":{"c":"xyzxyz"}}', '{"b":{"c":"aaxyzxyz"}}'],
    ['{"b":[1,2]}', '{"b":[1]}'],
    ['{"b":null}', '{"b":false}'],
    ['{"b":1}', '{"c":1}'],
  ])('does not take %s for %s', (one, other) => {
    const pair = `[{"x":${one}},{"x":${one}},{"x":${other}},{"x":${other}},{"x":${one}}]`;
    const [found] = shared(pair);
    expect(JSON.stringify(found, (_, part: unknown) => (Object.is(part, -0) ? 'minus zero' : part))).toBe(
      JSON.stringify(JSON.parse(pair), (_, part: unknown) => (Object.is(part, -0) ? 'minus zero' : part)),
    );
  });

  it('does not keep elements with more than 48 brackets and quotes', () => {
    const element = (fields: number): string => `{${Array.from({ length: fields }, (_, at) => `"f${at}":1`).join(',')}}`;
    for (const [fields, isKept] of [
      [23, true],
      [24, false],
    ] as const) {
      const [found] = shared(`[${element(fields)},${element(fields)},${element(fields)}]`);
      expect(found?.[2] === found?.[1]).toBe(isKept);
    }
  });

  it('freezes what it has gone through', () => {
    const object = JSON.parse('{"a":[{"b":[1]},[{}]],"c":{"d":{}}}') as { a: object[]; c: { d: object } };
    new TemplateObject().settle(object);
    const parts = [object, object.a, ...object.a, object.c, object.c.d];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });
});
