import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { Outline } from '../../../src/client/decode/outline.js';
import { shapeObject } from '../../../src/client/decode/objectShape.js';
import { ValueEnd } from '../../../src/client/decode/scan.js';
import { MatchedObject, Template } from '../../../src/client/decode/templates.js';
import { TemplateObject } from '../../../src/client/decode/templateObject.js';
import { type VectorScan, vectorScan } from '../../../src/client/decode/vectorScan.js';
import { runs } from '../../tier.js';

type Json = Readonly<Record<string, unknown>>;
/** The text of a value, or its parts with their keys. */
type Node = string | { readonly open: '{' | '['; readonly parts: readonly (readonly [key: string, value: Node])[] };

const utf8 = new TextEncoder();
const scan = vectorScan() as VectorScan;
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const shape = { kind: 'Pod', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false } as const;
const head = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"';
/** What is like a template has most in common with it. */
const note = `"note":"${'x'.repeat(300)}"`;
/** An object with these fields in its metadata, and these behind it. */
const object = (metadata: string, rest: string): string => `${head}${metadata}},${note}${rest}}`;

function textOf(node: Node): string {
  if (typeof node === 'string') return node;
  const inner = node.parts.map(([key, value]) => (node.open === '{' ? `"${key}":` : '') + textOf(value)).join(',');
  return node.open === '{' ? `{${inner}}` : `[${inner}]`;
}

/** The result of the parser for an object, without managedFields; undefined if the text is not JSON. */
function plain(text: string): Json | undefined {
  try {
    const found = JSON.parse(text) as { readonly metadata: Record<string, unknown> };
    delete found.metadata['managedFields'];
    return found;
  } catch {
    return undefined;
  }
}

/** The order of fields included. */
const exactly = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (Object.is(part, -0) ? 'minus zero' : part));

/** The outline of the object that begins at `at`, and its end; undefined if the end is not certain. */
function outlineOf(json: Uint8Array, at: number): { readonly outline: Outline; readonly end: number } | undefined {
  const outline = new Outline(shape, scan);
  const end = new ValueEnd(scan).of(json, at);
  return end !== -1 && outline.read(json, at, true) && outline.settle(json, end) ? { outline, end } : undefined;
}

/** The JSON of an object without managedFields. */
function ownText(json: Uint8Array, { cutEnd, cutStart }: Outline): Uint8Array {
  return Buffer.concat([json.subarray(0, cutStart), json.subarray(cutEnd)]);
}

/** A template of an object; undefined if a key comes twice in the object, or its end is not certain. */
function made(text: string): Template | undefined {
  const bytes = utf8.encode(text);
  const value = plain(text);
  const { outline } = outlineOf(bytes, 0) ?? {};
  const objects = new TemplateObject();
  if (value === undefined || outline === undefined || !objects.settle(value) || objects.marks !== outline.form) return undefined;
  return new Template(value, outline, ownText(bytes, outline));
}

interface Compared {
  /** The JSON of the values that differ. */
  readonly values: string;
  readonly object: Json;
  readonly text: Uint8Array;
}

/** The object after another one in the text, as the template shows it; undefined if it does not fit, or is not JSON. */
function compared(template: Template, text: string): Compared | undefined {
  const before = '[0,';
  const json = utf8.encode(`${before}${text},{}]`);
  const found = outlineOf(json, before.length);
  const count = found === undefined ? -1 : scan.compare(template, 1, 0, found.outline);
  if (count < 0) return undefined;
  try {
    const values = count === 0 ? '[]' : decode(scan.text);
    const made = new MatchedObject().of(template.object, count, scan);
    const bytes = utf8.encode(text);
    return made === undefined ? undefined : { values, object: made, text: ownText(bytes, outlineOf(bytes, 0)?.outline as Outline) };
  } catch {
    return undefined;
  }
}

/** Whether a template equals a new template of this text. */
function expectTemplateOf(template: Template, text: string): void {
  const fresh = made(text) as Template;
  expect(decode(template.bytes.subarray(0, template.length))).toBe(decode(fresh.bytes.subarray(0, fresh.length)));
  expect(exactly(template.object)).toBe(exactly(fresh.object));
}

const scalar = fc.constantFrom(
  '1',
  '12',
  '120',
  '-3',
  '0',
  '-0',
  '1.5',
  'true',
  'null',
  '""',
  '"a"',
  '"abc"',
  '"a\\"b"',
  '"}"',
  '"é"',
  '"],["',
);
const broken = fc.constantFrom('', '01', 'tru', '"a', '1]', '{"a":[1}}', '1 2', '""""', '{"a" 1}');
const key = fc.constantFrom('a', 'b', 'c', 'é', '1', '__proto__');
const { value } = fc.letrec<{ value: Node; object: Node; array: Node }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, { weight: 3, arbitrary: scalar }, tie('object'), tie('array')),
  object: fc.record({ open: fc.constant('{'), parts: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }) }),
  array: fc.record({ open: fc.constant('['), parts: fc.array(fc.tuple(fc.constant(''), tie('value')), { maxLength: 4 }) }),
}));
const fields = fc.array(fc.tuple(fc.constantFrom('p', 'q', 'r', 's'), value), { maxLength: 4 }) as fc.Arbitrary<Version['metadata']>;
const managed = fc.constantFrom(
  '',
  '',
  ',"managedFields":[]',
  ',"managedFields":[{"manager":"m","f":{"}":{}}}]',
  ',"managedFields":[{"manager":"é"}]',
  `,"managedFields":[${'{"f:a":{},"k:{\\"b\\":1}":{".":{}}},'.repeat(3)}{"time":"2026-11-27T00:00:00Z"}]`,
  `,"managedFields":["${'m'.repeat(28)}"]`,
);

interface Version {
  readonly managed: string;
  readonly metadata: readonly (readonly [string, Node])[];
  readonly rest: readonly (readonly [string, Node])[];
}

const versions: fc.Arbitrary<Version> = fc.record({ managed, metadata: fields, rest: fields });
const inner = (parts: Version['metadata']): string => parts.map(([name, part]) => `,"${name}":${textOf(part)}`).join('');
const written = (version: Version): string => object(version.managed + inner(version.metadata), inner(version.rest));

/** Another version: some places differ. */
function changed(node: Node, choose: (many: number) => number, other: readonly Node[], often: number): Node {
  if (choose(often) === 0) return other[choose(other.length)] ?? node;
  if (typeof node === 'string') return node;
  const parts = node.parts.map(([name, part]) => [name, changed(part, choose, other, often)] as const);
  const at = choose(parts.length + 1);
  const edit = choose(4 * often);
  if (edit === 0) return { ...node, parts: parts.filter((_, index) => index !== at) };
  if (edit === 1) return { ...node, parts: [...parts, ...parts.slice(at, at + 1)] };
  return { ...node, parts };
}

const histories = fc
  .tuple(
    versions,
    fc.array(fc.oneof({ weight: 9, arbitrary: scalar }, broken, value), { minLength: 1, maxLength: 6 }),
    fc.array(managed, { minLength: 1, maxLength: 6 }),
    fc.infiniteStream(fc.nat(1000)),
  )
  .map(([first, other, managedFields, chance]) => {
    const choose = (many: number): number => (chance.next().value ?? 0) % many;
    let last = first;
    return [
      written(first),
      ...managedFields.map((next) => {
        const often = [3, 12][choose(2)] as number;
        const edit = (parts: Version['metadata']) => parts.map(([name, part]) => [name, changed(part, choose, other, often)] as const);
        const version = { managed: next, metadata: edit(last.metadata), rest: edit(last.rest) };
        if (plain(written(version)) !== undefined) last = version;
        return written(version);
      }),
    ];
  });

describe('a template', () => {
  it('shows of any object what the parser makes of it, or nothing, and becomes what one made of it would be', () => {
    fc.assert(
      fc.property(histories, ([first = '', ...later]) => {
        const original = made(first);
        if (original === undefined) return;
        const unchanged: [string, string][] = [];
        for (const text of later) {
          const found = compared(original, text);
          if (found === undefined) continue;
          const shaped = shapeObject(found.object, shape);
          expect(exactly(shaped)).toBe(exactly(plain(text)));
          if (shaped !== found.object) continue;
          const before = decode(original.bytes);
          if (original.advance(found.object, found.text)) expectTemplateOf(original, text);
          else unchanged.push([decode(original.bytes), before]);
        }
        for (const [after, before] of unchanged) expect(after).toBe(before);
      }),
      { numRuns: runs(1_000) },
    );
  });

  const nested = ',"spec":{"a":[1,{"b":"x"}],"c":{}},"d":"y","e":12,"f":[true]';
  const conditions = ',"status":{"list":[{"type":"Ready","s":1},{"type":"Live","s":2}]},"z":1';
  it.each([
    ['a string', nested, nested.replace('"x"', '"other"'), ['"other"']],
    ['a string to one that begins with it', nested, nested.replace('"x"', '"xy"'), ['"xy"']],
    ['a number to one that begins with it', nested, nested.replace('12', '123'), ['123']],
    ['a number to the beginning of it', nested, nested.replace('12', '1'), ['1']],
    ['that behind another place', nested, nested.replace('"y"', '""').replace('12', '123'), ['""', '123']],
    ['a literal', nested, nested.replace('true', 'false'), ['false']],
    ['a number to a string', nested, nested.replace('12', '"12"'), ['"12"']],
    ['several places', nested, nested.replace('"x"', '"xyz"').replace('"y"', '""').replace('12', '7'), ['"xyz"', '""', '7']],
    ['nothing', nested, nested, []],
  ])('has parsed no more than differs: %s', (_, before, after, expected) => {
    const template = made(object('', before)) as Template;
    const { object: found, values } = compared(template, object('', after)) as Compared;
    expect(values).toBe(`[${expected.join(',')}]`);
    expect(found).toEqual(plain(object('', after)));
    expect(Object.isFrozen(found)).toBe(true);
  });

  it.each([
    ['an object, and a place in it before', conditions, conditions.replace('"Live","s":2', '"Alive"')],
    ['a number to an object', nested, nested.replace('12', '{"g":1}')],
    ['an object to a number', nested, nested.replace('{}', '1')],
    ['an object to an array', nested, nested.replace('{}', '[]')],
    ['an empty array to one with an element', nested.replace('true', ''), nested],
    ['an object to a string', nested, nested.replace('{"b":"x"}', '"b"')],
    ['a field of an object, which is one more', nested, nested.replace('{}', '{"g":1}')],
    ['a field of an object, which is one fewer', conditions, conditions.replace(',"s":2', '')],
    ['an element, which is one more', conditions, conditions.replace('2}]', '2},3]')],
    ['the only element, which goes', nested, nested.replace('[true]', '[]')],
    ['a key', nested, nested.replace('"b"', '"bb"')],
  ])('is not like a version that differs from it in its structure: %s', (_, before, after) => {
    expect(compared(made(object('', before)) as Template, object('', after))).toBeUndefined();
  });

  it('reads places that differ of any length', () => {
    const rest = (letter: string): string => `,"a":"${letter.repeat(9_000)}","b":"${letter.repeat(9_000)}","c":"${'x'.repeat(46_000)}"`;
    const template = made(object('', rest('y'))) as Template;
    expect(compared(template, object('', rest('z')))?.object).toEqual(plain(object('', rest('z'))));
  });

  it.each([
    ['at the end of the metadata', ''],
    ['within them', ',"uid":"u"'],
  ])('is like a version without managedFields, which it has had %s', (_, uid) => {
    const labels = ',"labels":{"app":"web"}';
    const template = made(object(`${labels},"managedFields":[{}]${uid}`, ',"a":"x","b":1')) as Template;
    const later = object(labels + uid, ',"a":"y","b":1');
    const found = compared(template, later)?.object;
    expect(found).toEqual(plain(later));
    expect(found?.['metadata']).toBe(template.object['metadata']);
  });

  it.each([
    ['at the end of the metadata', ''],
    ['within them', ',"uid":"u"'],
  ])('is like a version with managedFields, which it has not had %s', (_, uid) => {
    const labels = ',"labels":{"app":"web"}';
    const template = made(object(labels + uid, ',"a":"x","b":1')) as Template;
    const later = object(`${labels},"managedFields":[{}]${uid}`, ',"a":"y","b":1');
    expect(compared(template, later)?.object).toEqual(plain(later));
  });

  it.each([
    ['a third of it is different', `,"a":"${'b'.repeat(200)}"`],
    ['a field of its own comes or goes', ',"a":"x","b":1'],
    ['it is cut off', ',"a":"x'],
  ])('is not compared any further where %s', (_, rest) => {
    const template = made(object('', ',"a":"x"')) as Template;
    expect(compared(template, object('', rest))).toBeUndefined();
    expect(compared(template, object('', ',"a":"y"'))).toBeDefined();
  });

  it('does not become the template of a version that is too long', () => {
    const before = object('', ',"a":"x","b":1');
    const template = made(before) as Template;
    const found = compared(template, object('', `,"a":"${'x'.repeat(80)}","b":1`)) as Compared;
    expect(template.advance(found.object, found.text)).toBe(false);
    expectTemplateOf(template, before);
  });

  it.each([
    ['behind a field whose key is a number', ',"s":{"a":{"b":"x"},"1":1}'],
    ['in one whose key is a number', ',"s":{"1":"x"}'],
    ['in an object with such keys', ',"s":{"2":1,"1":{"b":"x"}}'],
  ])('shows nothing of an object that differs %s', (_, rest) => {
    expect(compared(made(object('', rest)) as Template, object('', rest.replace('"x"', '"y"')))).toBeUndefined();
  });

  it.each([',"s":{"__proto__":"x"}', ',"s":{"__proto__":{"b":"x"}}', ',"__proto__":["x"]'])(
    'is no prototype of what differs in %s',
    (rest) => {
      const later = object('', rest.replace('"x"', '"y"'));
      expect(isDeepStrictEqual(compared(made(object('', rest)) as Template, later)?.object, plain(later))).toBe(true);
    },
  );

  it.each(['01', '1a', '+1', 'a1', ':', ''])('shows what differs behind the key %j, which is no number', (name) => {
    const rest = `,"s":{"${name}":1,"b":"x"}`;
    const later = object('', rest.replace('"x"', '"y"'));
    expect(compared(made(object('', rest)) as Template, later)?.object).toEqual(plain(later));
  });

  it('is compared 63 levels deep', () => {
    const rest = `,"s":${'['.repeat(62)}{"a":"x"}${']'.repeat(62)}`;
    const later = object('', rest.replace('"x"', '"y"'));
    expect(compared(made(object('', rest)) as Template, later)?.object).toEqual(plain(later));
    expect(made(object('', `,"s":[${rest.slice(5)}]`))).toBeUndefined();
  });

  it('is compared with JSON of up to 2 MB, with managedFields', () => {
    const managed = (length: number): string => `,"managedFields":[{"manager":"${'m'.repeat(length)}"}]`;
    const template = made(object('', ',"a":"x"')) as Template;
    expect(compared(template, object(managed(2_000_000), ',"a":"y"'))?.object['a']).toBe('y');
    expect(compared(template, object(managed(2_200_000), ',"a":"y"'))).toBeUndefined();
  });
});
