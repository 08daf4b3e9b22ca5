import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonLayout, LayoutReader } from '../../../src/client/decode/jsonLayout.js';

const utf8 = new TextEncoder();
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The layout of some JSON, and where its values begin; undefined where it has none. */
function read(text: string, known?: JsonLayout): { layout: JsonLayout; texts: string[] } | undefined {
  const reader = new LayoutReader();
  const bytes = utf8.encode(text);
  if (!reader.read(bytes, bytes.length, JSON.parse(text))) return undefined;
  const layout = reader.layout(known);
  return { layout, texts: Array.from({ length: layout.count }, (_, at) => decode(bytes.subarray(reader.starts[at]))) };
}

/** The value with this number, found by the keys of the objects and arrays around it. */
function valueAt({ keys, parents }: JsonLayout, number: number, whole: unknown): unknown {
  if (number === 0) return whole;
  const parent = valueAt({ keys, parents } as JsonLayout, parents[number] as number, whole);
  return (parent as Record<string | number, unknown>)[keys[number] as string | number];
}

const opened = (text: string): readonly number[] => [...(read(text)?.layout.open ?? [])];

describe('LayoutReader', () => {
  it('finds each value under its key, and where it begins', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ depthSize: 'small' }));
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify({ value });
        const found = read(text);
        if (found === undefined) throw new Error(`Expected ${text} to have a layout`);
        const { layout, texts } = found;
        for (let number = 0; number < layout.count; number += 1) {
          const own = JSON.stringify(valueAt(layout, number, JSON.parse(text)));
          expect(texts[number]?.startsWith(own)).toBe(true);
          const next = layout.nexts[number] as number;
          // The last value within it begins before its end, and the first one behind it does not.
          const rest = (texts[number]?.length ?? 0) - own.length;
          expect(texts[next - 1]?.length).toBeGreaterThan(rest);
          expect(texts[next]?.length ?? 0).toBeLessThanOrEqual(rest);
        }
      }),
    );
  });

  it.each([
    ['objects and arrays', '{"a":{},"b":[],"c":1,"d":[[]]}', [1, 1, 1, 0, 1, 1]],
    ['no object that has a key twice', '{"a":{"b":1,"b":2},"c":1}', [1, 0, 0]],
    ['no object whose keys are numbers', '{"a":{"b":1,"1":2},"c":1}', [1, 0, 0]],
    ['no object with a key that cannot be assigned to', '{"a":{"__proto__":1},"c":1}', [1, 0, 0]],
    ['no object with white space', '{"a":{"b": 1},"c":[1 ,2]}', [1, 0, 0]],
  ])('looks into %s', (_, text, open) => {
    expect(opened(text)).toEqual(open);
  });

  it('looks into 64 levels, and no deeper', () => {
    const open = opened(`{"a":${'['.repeat(100)}1${']'.repeat(100)}}`);
    expect(open).toEqual([...Array.from({ length: 64 }, () => 1), 0]);
  });

  it.each([
    ['white space before it', ' {}'],
    ['white space behind it', '{} '],
    ['an array with white space', '[1, 2]'],
    ['a string', '"a"'],
    ['more than 65,535 bytes', `{"a":"${'x'.repeat(65_530)}"}`],
    ['more than 16,384 values', `{"a":[${'1,'.repeat(16_390)}1]}`],
  ])('finds no layout of %s, or only that of the outermost value', (_, text) => {
    const found = read(text);
    expect(found === undefined || (found.layout.count <= 2 && found.layout.open.at(-1) === 0)).toBe(true);
  });

  it('finds one layout for texts that differ in strings, numbers and literals alone', () => {
    const first = read('{"a":{"b":1,"c":["x",{}]},"d":true}')?.layout as JsonLayout;
    const others = [
      '{"b":1}',
      '{"a":{"b":1,"c":["x",[]]},"e":true}',
      '{"a":{"b":1,"c":["x"]},"d":{}}',
      '{"a":{"b":1},"c":["x",{}],"d":true}',
    ];
    for (const text of others) expect(read(text, first)?.layout).not.toBe(first);
    expect(read('{"a":{"b":"longer","c":[7,{}]},"d":null}', first)?.layout).toBe(first);
    expect(read('{"a":{"b":"longer","c":[7,{}]},"d":{}}', first)?.layout).not.toBe(first);
    expect(read('{"a":{"b":1,"c":["x",{"e":1}]},"d":true}', first)?.layout).not.toBe(first);
  });
});
