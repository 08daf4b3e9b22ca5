import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Outline } from '../../../src/client/decode/outline.js';
import type { ItemShape } from '../../../src/client/decode/objectShape.js';
import { ValueEnd } from '../../../src/client/decode/scan.js';
import { type VectorScan, vectorScan } from '../../../src/client/decode/vectorScan.js';
import { runs } from '../../tier.js';

type Json = Record<string, unknown>;

const scan = vectorScan() as VectorScan;

const utf8 = new TextEncoder();
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const shape: ItemShape = {
  apiVersion: 'v1',
  kind: 'Pod',
  managedFields: 'drop',
  metadataOnly: false,
  shard: { by: 'uid', slots: new Set() },
};

/** The outline of an object between others; undefined if the object is not regular. */
function outlined(text: string, overrides: Partial<ItemShape> = {}): { readonly outline: Outline; readonly json: Uint8Array } | undefined {
  const before = '[{"metadata":{"managedFields":[{}]}},';
  const json = utf8.encode(`${before}${text},{"metadata":{}}]`);
  const outline = new Outline({ ...shape, ...overrides }, scan);
  const end = new ValueEnd(scan).of(json, before.length);
  expect(end).toBe(json.length - 17);
  return outline.read(json, before.length, true) && outline.settle(json, end)
    ? { outline, json: json.subarray(before.length, end) }
    : undefined;
}

/** The object of the outline without the omitted range. */
function lean(text: string, overrides: Partial<ItemShape> = {}): unknown {
  const found = outlined(text, overrides);
  if (found === undefined) return undefined;
  const { outline, json } = found;
  const [start, end] = [outline.cutStart, outline.cutEnd].map((place) => place - 37) as [number, number];
  return JSON.parse(decode(json.subarray(0, start)) + decode(json.subarray(end)));
}

const word = fc.string({ unit: fc.constantFrom('a', '-', '"', '\\', '{', '}', '[', ',', ':', 'é', 'managedFields', '"metadata":{') });
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.integer(),
    fc.constant(null),
    fc.dictionary(word, tie('any'), { maxKeys: 3 }),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
}));
const managed = fc.oneof(fc.array(fc.record({ manager: word, 'f:x': fc.dictionary(word, fc.constant({})) }), { maxLength: 3 }), any);
const fields = fc
  .record({ name: word, uid: fc.uuid(), labels: any, managedFields: managed, 'x"managedFields': any }, { requiredKeys: [] })
  .chain((all) => fc.shuffledSubarray(Object.entries(all), { minLength: Object.keys(all).length }));
const objects = fc
  .record(
    {
      kind: fc.constant('Pod'),
      apiVersion: fc.constant('v1'),
      metadata: fields.map((all): Json => Object.fromEntries(all)),
      data: any,
      'x"metadata': any,
    },
    { requiredKeys: ['metadata'] },
  )
  .chain((all) => fc.shuffledSubarray(Object.entries(all), { minLength: Object.keys(all).length }))
  .map((all) => Object.fromEntries(all) as Json & { readonly metadata: Json });

describe('Outline', () => {
  it('leaves managedFields out and nothing else, and says whether there is a type', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const found = outlined(JSON.stringify(object));
        if (found === undefined) return;
        const { managedFields: _, ...metadata } = object.metadata;
        expect(JSON.stringify(lean(JSON.stringify(object)))).toBe(JSON.stringify({ ...object, metadata }));
        expect(found.outline.isTyped).toBe('kind' in object && 'apiVersion' in object);
        const shardAt = found.outline.shardAt - 37;
        const uid = JSON.stringify(object.metadata['uid'] ?? '');
        expect(shardAt < 0 ? '""' : decode(found.json.subarray(shardAt, shardAt + uid.length))).toBe(uid);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('has the same numbers for objects of one name and one form, with and without managedFields and type', () => {
    const text = (name: string, type: string, managedFields: string, phase = '"Running"'): string =>
      `{${type}"metadata":{"name":"${name}","uid":"u"${managedFields}},"status":{"phase":${phase},"list":[{}]}}`;
    const type = '"kind":"Pod","apiVersion":"v1",';
    const first = outlined(text('web-1', type, ',"managedFields":[{"manager":"a"},{}]'))?.outline as Outline;
    const { name, family, form } = first;
    const others = [
      text('web-1', '', ',"managedFields":[]'),
      text('web-1', type, ''),
      text('web-1', type, ',"managedFields":[{"manager":"b","f":{"x":{}}}]', '"Pending"'),
    ];
    for (const other of others) expect(outlined(other)?.outline).toMatchObject({ name, family, form });
    expect(outlined(text('web-2', type, ''))?.outline).toMatchObject({ family, form });
    expect(outlined(text('web-2', type, ''))?.outline.name).not.toBe(name);
    expect(outlined(text('db-1', type, ''))?.outline.family).not.toBe(family);
    expect(outlined(text('web-1', type, '', '{"a":1}'))?.outline.form).not.toBe(form);
  });

  it('knows nothing of the object before', () => {
    const json = utf8.encode('[{"metadata":{"name":"web-1","uid":"u"}},{"metadata":{"uid":"u"}}]');
    const at = json.lastIndexOf(0x7b, json.lastIndexOf(0x7b) - 1);
    const read = (outline: Outline, from: number): Outline => {
      const end = new ValueEnd(scan).of(json, from);
      expect(outline.read(json, from, true) && outline.settle(json, end)).toBe(true);
      return outline;
    };
    const { name, family } = read(new Outline(shape, scan), at);
    const second = read(read(new Outline(shape, scan), 1), at);
    expect(second).toMatchObject({ name, family });
    expect(read(second, 1).name).not.toBe(name);
  });

  it.each([
    ['two metadata', '{"metadata":{"managedFields":[]},"metadata":{"name":"a"}}'],
    ['two managedFields', '{"metadata":{"managedFields":[],"managedFields":[1]}}'],
    ['two names', '{"metadata":{"name":"a","name":"b"}}'],
    ['two fields that say the shard', '{"metadata":{"uid":"a","uid":"b"}}'],
    ['an escaped key', '{"metadata":{"managed\\u0046ields":[]}}'],
    ['a key that is escaped behind a comma', '{"metadata":{"x,\\u0041":1}}'],
    ['an escaped key of its own', '{"meta\\u0064ata":{"managedFields":[]}}'],
    ['white space around a key', '{"metadata": {"managedFields" :[]}}'],
    ['white space before a key', '{"metadata":{ "managedFields":[]}}'],
    ['white space behind managedFields', '{"metadata":{"managedFields":[] }}'],
    ['managedFields with more than plain text', '{"metadata":{"managedFields":["é"]}}'],
    ['managedFields that are no JSON', '{"metadata":{"managedFields":[{"a":}]}}'],
    ['a comma before the first field', '{"metadata":{,"managedFields":[1]}}'],
    ['white space and a comma before the first field', '{"metadata":{ ,"managedFields":[1],"name":"a"}}'],
    ['an array for its metadata', '{"metadata":["a","managedFields":[1]]}'],
    ['no fields', '{}'],
    ['more fields than are looked at', JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`f${at}`, at])))],
  ])('is not sure of an object with %s', (_, text) => {
    expect(outlined(text)).toBeUndefined();
  });

  it('leaves managedFields where they are wanted', () => {
    const text = '{"metadata":{"managedFields":[1],"name":"a"}}';
    expect(lean(text, { managedFields: 'keep' })).toEqual(JSON.parse(text));
  });
});
