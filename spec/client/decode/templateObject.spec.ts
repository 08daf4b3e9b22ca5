import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Outline } from '../../../src/client/decode/outline.js';
import { ValueEnd } from '../../../src/client/decode/scan.js';
import { TemplateObject } from '../../../src/client/decode/templateObject.js';
import { type VectorScan, vectorScan } from '../../../src/client/decode/vectorScan.js';
import { runs } from '../../tier.js';
import { anyCharacter } from '../../anyCharacter.js';

type Json = Readonly<Record<string, unknown>>;

const shape = { kind: 'Pod', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false } as const;
const head = '{"kind":"Pod","apiVersion":"v1","metadata":{},';

/** How many brackets and quotes the scan finds in some JSON. */
function formOf(text: string): number {
  const outline = new Outline(shape, scan);
  const json = new TextEncoder().encode(text);
  const end = new ValueEnd(scan).of(json, 0);
  outline.read(json, 0, true);
  outline.settle(json, end);
  return outline.form;
}

/** How many brackets and quotes an object has; -1 where it is too deep. */
function settled(text: string): number {
  const objects = new TemplateObject();
  return objects.settle(JSON.parse(text) as object) ? objects.marks : -1;
}

const scan = vectorScan() as VectorScan;
const prefix = new TextEncoder().encode('{');
/** The order of fields included. */
const exactly = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (Object.is(part, -0) ? 'minus zero' : part));

/** Of a process, as the elements in the module's memory are. */
const objects = new TemplateObject();

/** Reads an object without its managedFields, behind other bytes; undefined if it shares nothing. */
function read(text: string): Json | undefined {
  const json = new TextEncoder().encode(`[0,${text},{}]`);
  const outline = new Outline(shape, scan);
  const end = new ValueEnd(scan).of(json, 3);
  if (!outline.read(json, 3, true) || !outline.settle(json, end)) return undefined;
  const { cutEnd, cutStart, form, isTyped } = outline;
  // Its type is not filled in here: it has eight quotes.
  const found = objects.read(scan, prefix, { cutEnd, cutStart, form: form - (isTyped ? 0 : 8) });
  if (found === undefined) return undefined;
  const plain = JSON.parse(text) as { metadata?: Record<string, unknown> };
  delete plain.metadata?.['managedFields'];
  expect(exactly(found)).toBe(exactly(plain));
  expect(isDeepStrictEqual(found, plain)).toBe(true);
  // The prototype of a field `__proto__` is read by no JSON.stringify.
  if (!text.includes('__proto__')) expect(objects.marks).toBe(settled(JSON.stringify(plain)));
  return found;
}

const bodies = fc.json({ depthSize: 'medium', stringUnit: anyCharacter });

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
    expect(new TemplateObject().settle(deep)).toBe(false);
    expect([deep, deep.a, deep.b].map(Object.isFrozen)).toEqual([false, false, true]);
  });

  const note = 'x'.repeat(60);
  /** The elements of arrays that share some with those before. */
  const shared = (...all: readonly string[]): readonly (readonly unknown[] | undefined)[] =>
    all.map((text) => read(`{"a":${text}}`)?.['a'] as unknown[] | undefined);

  it('keeps an element from the second time on that it comes', () => {
    const [one, other] = [`{"b":1,"note":"${note}keeps"}`, `{"c":[2],"note":"${note}keeps"}`];
    const [first, second, third] = shared(`[${one}]`, `[${other},${one}]`, `[${one},3,[${one}],{"d":${one}}]`);
    expect(first).toBeUndefined();
    expect(second).toEqual([JSON.parse(other), JSON.parse(one)]);
    expect(third).toEqual([JSON.parse(one), 3, [JSON.parse(one)], { d: JSON.parse(one) as object }]);
    expect(third?.[0]).toBe(second?.[1]);
    expect((third?.[2] as object[])[0]).toBe(second?.[1]);
    expect([second, second?.[0], second?.[1], third?.[2]].every(Object.isFrozen)).toBe(true);
  });

  it.each([
    ['0', '-0'],
    ['1', '"1"'],
    ['[]', '{}'],
    ['1e400', '1e401'],
    ['[1,2]', '[1]'],
    ['null', 'false'],
  ])('does not take %s for %s', (one, other) => {
    const element = (x: string): string => `{"x":${x},"note":"${note}takes"}`;
    const all = [one, one, other, other, one, other].map((x) => `[${element(x)}]`);
    expect(shared(...all).filter((found) => found !== undefined).length).toBeGreaterThan(1);
  });

  it.each([
    ['[1000000000,X]', false],
    ['[X,1000000000]', false],
    ['[1000000001,X,1000000000,X]', false],
    ['[[1e9],X]', false],
    ['[1000000001,X]', true],
    ['[1000000000.5,-1,999999999,X]', true],
  ])('does not take numbers of the object itself for elements: %s', (list, isShared) => {
    const element = `{"note":"${note}numbers"}`;
    const text = list.replaceAll('X', element);
    expect(shared(`[${element}]`, `[${element}]`, text)[2]).toEqual(isShared ? JSON.parse(text) : undefined);
  });

  it.each([
    '"a":[X],"a":1,"b":[1000000000]',
    '"a":[X],"b":[1e9],"a":[]',
    '"a":[{"c":[X],"b":[1000000000],"c":1}]',
    '"a":[[1000000000],{"b":[X],"b":1}]',
  ])('does not take a number of the object for an element whose key comes twice: %s', (fields) => {
    const element = `{"note":"${note}twice"}`;
    shared(`[${element}]`, `[${element}]`);
    expect(read(`{${fields.replace('X', element)}}`)).toBeUndefined();
  });

  it.each(['X.0', 'Xe0', 'X0e-1', `1000000000.${'0'.repeat(30)}X`, 'X X', 'X5', '-X', '{}X', 'X[]'])(
    'shares nothing where %s stands for an element',
    (text) => {
      const element = `{"note":"${note}beside"}`;
      shared(`[${element}]`, `[${element}]`);
      expect(read(`{"a":[${text.replaceAll('X', element)}]}`)).toBeUndefined();
    },
  );

  it.each(['{"b":tru}', '{"b":1,}', '{"b":"\u0001"}', '{"b" 1}'])('shares no element that is malformed: %s', (element) => {
    const text = `{"note":"${note}malformed","x":${element}}`.replace('"x":{', '"x":[{').replace(/\}\}$/, '}]}');
    expect(shared(`[${text}]`, `[${text}]`, `[${text}]`)).toEqual([undefined, undefined, undefined]);
  });

  it('counts and reads what shares elements as what does not', () => {
    let sharing = 0;
    const pool = fc.constantFrom(
      ...['a', 'b', 'c', 'd'].flatMap((name) => [
        `{"name":"${name}","note":"${note}"}`,
        `{"names":["${name}","}]{"],"note":"${note}é"}`,
        `{"short":"${name}"}`,
        `{"deep":{"note":"${note}"},"name":"${name}"}`,
        `{"__proto__":{"name":"${name}"},"note":"${note}"}`,
        `{"__proto__":["${name}"],"note":"${note}"}`,
        `{"long":"${name.repeat(300)}","9":1,"1":2}`,
      ]),
    );
    // Objects that have one are parsed.
    const twice = `{"name":"a","name":"twice","note":"${note}"}`;
    const list = fc.array(
      fc.oneof({ weight: 5, arbitrary: pool }, fc.constantFrom('1', '1000000000', '1000000001', '"x"', 'null', '[]', twice)),
      {
        maxLength: 8,
      },
    );
    const managed = fc.constantFrom('', '"managedFields":[],', `"managedFields":[{"name":"a","note":"${note}"}],`);
    const object = fc
      .tuple(list, managed, list, list)
      .map(
        ([first, fields, second, third]) =>
          `{"9":[${first.join()}],"metadata":{${fields}"name":"a","list":[${second.join()}]},"1":{"b":[[${third.join()}]]}}`,
      );
    fc.assert(
      fc.property(fc.array(object, { minLength: 2, maxLength: 8 }), (all) => {
        for (const text of all) sharing += Number(read(text) !== undefined);
      }),
      { numRuns: runs(500) },
    );
    expect(sharing).toBeGreaterThan(runs(500));
  });

  it('finds elements on both sides of managedFields, wherever these begin', () => {
    const [before, behind] = ['before', 'behind'].map((name) => `{"name":"${name}","note":"${note}"}`) as [string, string];
    const object = (padding: number, managed: string): string =>
      `{"${'p'.repeat(padding)}":[1],"metadata":{"owners":[${before}],${managed}"name":"a"},"status":{"a":[2,${behind}]}}`;
    interface Found {
      readonly metadata: { readonly owners: readonly object[] };
      readonly status: { readonly a: readonly unknown[] };
    }
    read(object(1, ''));
    const first = read(object(1, '')) as unknown as Found;
    const [short, long] = ['[{"a":{}}]', `[{"manager":"${'m'.repeat(40)}","f":{"f:a":{},"f:b":{".":{}}}},{"time":"2026-11-27T00:00:00Z"}]`];
    for (const managed of [short, long])
      for (let padding = 1; padding <= 32; padding += 1) {
        read(`{"a":[${'[],'.repeat(200)}1]}`);
        expect(read(`{"a":["${'y'.repeat(400)}",${before}]}`)).toBeDefined();
        const { metadata, status } = read(object(padding, `"managedFields":${managed},`)) as unknown as Found;
        expect(metadata.owners[0]).toBe(first.metadata.owners[0]);
        expect(status.a[1]).toBe(first.status.a[1]);
        expect(read(`{"metadata":{"owners":[${before}],"managedFields":${managed},"name":"${'a'.repeat(padding)}"}}`)).toBeDefined();
      }
  });

  it.each([
    [63, false],
    [64, true],
    [65, true],
    [351, true],
    [352, true],
    [353, false],
    [400, false],
    [5_000, false],
  ])('keeps elements of 64 to 352 bytes: %d', (size, isKept) => {
    const element = (letter: string): string => `{"n":"${letter.repeat(size - 8)}"}`;
    // Longer ones would be written over the elements at the places behind.
    const all = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `[${element(letter)}]`);
    for (const text of [...all, ...all, ...all, ...all]) shared(text);
    expect(all.filter((text) => shared(text)[0] !== undefined).length > 13).toBe(isKept);
  });

  it('replaces 1,000 elements of an object, and parses the others', () => {
    const element = (at: number): string => `{"n":${String(at).padStart(4, '1')},"note":"${'z'.repeat(44)}"}`;
    const one = element(0);
    expect(one).toHaveLength(64);
    shared(`[${one}]`, `[${one}]`);
    for (const count of [99, 100, 101, 999, 1_000, 1_001]) {
      const elements = shared(`[${Array.from({ length: count }, () => one).join()}]`)[0] as readonly object[];
      expect(new Set(elements).size).toBe(Math.max(1, count - 999));
    }
  });

  it('tells elements apart that have the same hash', () => {
    const element = (id: string): string => `[{"note":"${note}","id":"${id}"}]`;
    const [one, other] = ['mf1t03-1m4tin9-86787', 'czcq14-i6qkc8-133192'].map(element) as [string, string];
    expect(shared(one, one, other, one)).toEqual([undefined, JSON.parse(one), JSON.parse(other), JSON.parse(one)]);
  });

  it('tells elements apart that have the same place, and those behind a malformed one', () => {
    let chance = 1;
    const element = (): string => {
      chance = (Math.imul(chance, 1103515245) + 12345) & 0x7fffffff;
      return `{"note":"${note}","number":${(chance >> 8) % 3_000}}`;
    };
    let sharing = 0;
    for (let count = 0; count < 60; count += 1) {
      const malformed = Array.from({ length: count % 7 === 6 ? 2 : 0 }, () => `{"note":"${note}","number":tru}`);
      sharing += Number(read(`{"a":[${[...malformed, ...Array.from({ length: 600 }, element)].join()}]}`) !== undefined);
    }
    expect(sharing).toBeGreaterThan(40);
  });

  it('freezes what it has gone through', () => {
    const object = JSON.parse('{"a":[{"b":[1]},[{}]],"c":{"d":{}}}') as { a: object[]; c: { d: object } };
    new TemplateObject().settle(object);
    const parts = [object, object.a, ...object.a, object.c, object.c.d];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });
});
