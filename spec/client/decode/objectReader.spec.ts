import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import type { ItemShape } from '../../../src/client/decode/objectShape.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { cut } from '../cut.js';
import { runs } from '../../tier.js';
import { anyCharacter } from '../../anyCharacter.js';

type Json = Record<string, unknown>;
type Outcome = { readonly value: unknown } | 'error';

const shape: ItemShape = { kind: 'Pod', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false };
const utf8 = new TextEncoder();
/** Smaller objects are not compared with one another, nor are those that are mostly text. */
const list = `[${'"x",'.repeat(1_500)}1]`;
const note = `"note":${list}`;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON as text, which may say anything: keys several times, numbers that no number can hold, escapes that need none. */
type Node = string | { readonly open: string; readonly parts: readonly (readonly [string, Node])[]; readonly space: string };

function textOf(node: Node): string {
  if (typeof node === 'string') return node;
  const { open, parts, space } = node;
  const inner = parts.map(([key, value]) => (open === '{' ? `${key}${space}:${space}` : '') + textOf(value));
  return open + space + inner.join(`${space},`) + (open === '{' ? '}' : ']');
}

/** What a comparison that is not careful takes for one another. */
const lookAlikes: readonly (readonly string[])[] = [
  ['"of one length \\\\n"', '"of one length \\n"', '"of one length \n"'],
  ['"with a tab:\\t, twice"', '"with a tab:\t, twice"'],
  ['"one \\", \\"two"', '"one ", "two"'],
  ['"é and more of it"', '"Ã© and more of it"', '"\\u00e9 and more of it"'],
  ['0', '-0', '00', '0.0', '-'],
  ['420', '4200', '42', '420.0', '0420', '42e1', '420x'],
  ['true', 'truex', 'tru'],
  ['null', '"null"', 'nullx'],
  ['{}', '[]', '[null]', '[{}]', '{"a":[]}', '[,]', '{,}', '{"a":1,}'],
];
const others = new Map(lookAlikes.flatMap((group) => group.map((text) => [text, group] as const)));

const strings = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('"a"', '"Running"', '"registry.example.com/shop/checkout:v2.1.0"', '"2026-11-21T12:00:00Z"', '""'),
  },
  fc.constantFrom(
    '"\\u0061"',
    '"\\ud834\\udd1e"',
    '"\\ud834"',
    '"𝄞 and é"',
    '"\\"managedFields\\":[{}]"',
    '"a long one \\\\"',
    '"\\/\\b\\f\\n\\r\\t"',
  ),
  fc.constantFrom(
    '"a\\nb and more of it"',
    '"a\tb and more of it"',
    '"bad \\x escape"',
    '"\u2028\u2029\u0085\u007f\ufeff"',
    '"},{\\"a\\":[\\"',
  ),
  fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text)),
);
const scalars = fc.oneof(
  { weight: 6, arbitrary: strings },
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '420',
    '-7',
    '1.5',
    '1.0',
    '1e3',
    '1E400',
    '12345678901234567890',
    '123456789012345',
    '9007199254740993',
    '01',
    '+1',
    '.5',
    '1.',
  ),
  fc.constantFrom('true', 'false', 'null', 'nul', 'True', 'NaN', 'tru]e'),
  { weight: 5, arbitrary: fc.constantFrom(...lookAlikes.flat()) },
  { weight: 2, arbitrary: fc.constantFrom('0', '-0') },
);
const valid = scalars.filter((text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
});
const keys = fc.constantFrom(
  ...[
    '"metadata"',
    '"managedFields"',
    '"spec"',
    '"name"',
    '"kind"',
    '"apiVersion"',
    '"a"',
    '"\\u0061"',
    '"b"',
    '"1"',
    '"0"',
    '"é"',
    '"Ã©"',
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"length"',
    '""',
    '"a key of some length"',
    '"k:{\\"name\\":\\"x\\"}"',
    '"managed\\u0046ields"',
  ],
);
const space = fc.oneof({ weight: 12, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\n', '\t', '\r', '\u00a0'));
const { value } = fc.letrec<{ value: Node; object: Node; array: Node }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, { weight: 3, arbitrary: valid }, tie('object'), tie('array')),
  object: fc.record({ open: fc.constant('{'), parts: fc.array(fc.tuple(keys, tie('value')), { maxLength: 6 }), space }),
  array: fc.record({
    open: fc.constant('['),
    parts: fc.array(
      tie('value').map((each) => ['', each] as const),
      { maxLength: 5 },
    ),
    space,
  }),
}));
const metadata = fc
  .record({
    before: fc.array(fc.tuple(keys, value), { maxLength: 2 }),
    name: fc.constantFrom('a-1', 'a-2', 'b-1'),
    after: fc.array(fc.tuple(keys, value), { maxLength: 4 }),
  })
  .map(({ before, name, after }): Node => ({ open: '{', parts: [...before, ['"name"', `"${name}"`], ...after], space: '' }));
const object = fc
  .record({
    typed: fc.boolean(),
    isText: fc.integer({ max: 5, min: 0 }).map((chance) => chance === 0),
    metadata,
    parts: fc.array(fc.tuple(keys, value), { maxLength: 5 }),
    space,
  })
  .map((given): Node => {
    const type: [string, Node][] = given.typed
      ? [
          ['"kind"', '"Pod"'],
          ['"apiVersion"', '"v1"'],
        ]
      : [];
    return {
      open: '{',
      parts: [...type, ['"metadata"', given.metadata], ['"note"', given.isText ? `"${'x'.repeat(6_000)}"` : list], ...given.parts],
      space: given.space,
    };
  });

/** Another version: some places differ. */
function changed(node: Node, choose: (many: number) => number, other: readonly Node[]): Node {
  if (choose(12) === 0) return other[choose(other.length)] ?? node;
  if (typeof node === 'string') {
    const group = others.get(node) ?? [node];
    return choose(3) === 0 ? (group[choose(group.length)] ?? node) : node;
  }
  const parts = node.parts.map(([key, part]) => [key, changed(part, choose, other)] as const);
  const at = choose(parts.length + 1);
  const edits = [
    parts,
    parts,
    parts,
    parts,
    [...parts].reverse(),
    parts.filter((_, index) => index !== at),
    [...parts, ...parts.slice(at, at + 1)],
  ];
  return { ...node, parts: edits[choose(edits.length)] ?? parts };
}

const texts = fc
  .tuple(
    fc.array(object, { minLength: 1, maxLength: 3 }),
    fc.array(fc.oneof(value, scalars), { minLength: 1, maxLength: 4 }),
    fc.infiniteStream(fc.nat(1000)),
  )
  .map(([bases, other, chance]) => {
    const choose = (many: number): number => (chance.next().value ?? 0) % many;
    const versions: Uint8Array[] = [];
    for (const base of bases) {
      versions.push(utf8.encode(textOf(base)));
      for (let version = 0; version < 4; version += 1) {
        const bytes = utf8.encode(textOf(changed(base, choose, other)));
        // Now and then a byte is wrong.
        if (choose(5) === 0) bytes[choose(bytes.length)] = choose(256);
        versions.push(bytes);
      }
    }
    return versions.map((bytes) => bytes.map((byte) => (byte === 0x0a ? 0x20 : byte)));
  });

/** The result of the plain parser for an object. */
function plain(bytes: Uint8Array, isItem: boolean): Outcome {
  let parsed: unknown;
  try {
    parsed = JSON.parse(strict.decode(bytes));
  } catch {
    return 'error';
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'error';
  const found = parsed as Json;
  if (isItem) {
    found['kind'] ??= shape.kind;
    found['apiVersion'] ??= shape.apiVersion;
  }
  const of = found['metadata'];
  if (typeof of === 'object' && of !== null && !Array.isArray(of)) delete (of as Json)['managedFields'];
  return { value: found };
}

function objectsIn(root: unknown): Set<object> {
  const found = new Set<object>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || found.has(part)) return;
    found.add(part);
    Object.values(part).forEach(visit);
  };
  visit(root);
  return found;
}

class Cache {
  readonly objects = new Map<string, Json>();
  readonly all: { readonly value: Json; readonly text: string }[] = [];

  add(found: Json): void {
    const { name } = (found['metadata'] ?? {}) as { name?: unknown };
    if (typeof name === 'string') this.objects.set(`/${name}`, found);
    this.all.push({ value: found, text: JSON.stringify(found) });
  }

  /** What is wrong where something that came earlier has changed, or something that two objects have in common is not frozen. */
  problems(): string[] {
    const found: string[] = [];
    const seen = new Set<object>();
    for (const { value: each, text } of this.all) {
      if (JSON.stringify(each) !== text) found.push(`changed: ${text}`);
      for (const part of objectsIn(each)) {
        if (seen.has(part) && !Object.isFrozen(part)) found.push(`not frozen: ${JSON.stringify(part)}`);
        seen.add(part);
      }
    }
    return found;
  }
}

/** A text that differs for any two values that JSON distinguishes, including the order of fields. */
function exactly(found: unknown): string {
  return JSON.stringify(found, (_, part: unknown) => (Object.is(part, -0) ? 'minus zero' : part));
}

/** Items get their type before their own fields. */
function typeFirst(found: unknown): Json {
  const { kind, apiVersion, ...others } = found as Json;
  return { kind, apiVersion, ...others };
}

describe('ObjectReader', () => {
  it.each([
    ['zero and minus zero', '{"n":{"a":-0}}', '{"n":{"a":0}}'],
    ['a line feed and what writes it', '{"a":["one of the lines\\\\n"]}', '{"a":["one of the lines\\n"]}'],
    ['fields in another order', '{"n":{"a":1,"b":2}}', '{"n":{"b":2,"a":1}}'],
    ['a field that comes twice', '{"n":{"a":"what is long enough","b":1}}', '{"n":{"a":"what is long enough","b":1,"a":2}}'],
    ['an object that comes twice', '{"n":{"a":{"b":"what is long enough","c":1}}}', '{"n":{"a":{"b":"what is long enough","c":2},"a":3}}'],
  ])('tells %s from one another', (_, ...versions) => {
    const cache = new Cache();
    for (const text of versions.map((version) => version.replace('{', `{"metadata":{"name":"a"},${note},`))) {
      const found: unknown[] = [];
      new WatchDecoder<Json>(shape, cache).push(utf8.encode(`{"type":"MODIFIED","object":${text}}\n`), ([event]) => {
        found.push(event?.object);
        cache.add(event?.object as Json);
      });
      expect(exactly(found)).toBe(exactly([JSON.parse(text)]));
    }
  });

  it('takes over what has not changed, without the managedFields', () => {
    const cache = new Cache();
    const events: Json[] = [];
    const decoder = new WatchDecoder<Json>(shape, cache);
    for (const [version, phase] of ['Pending', 'Running'].entries()) {
      const object = {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: {
          name: 'a',
          labels: { app: 'web' },
          annotations: { note: JSON.parse(list) as unknown },
          resourceVersion: String(version),
          managedFields: [{ manager: 'x', time: String(version) }],
        },
        spec: { containers: [{ name: 'main', image: 'example.com/main:v1' }] },
        status: { phase },
      };
      decoder.push(utf8.encode(`${JSON.stringify({ type: 'MODIFIED', object })}\n`), ([event]) => {
        cache.add(event?.object as Json);
        events.push(event?.object as Json);
      });
    }
    const [first, second] = events as [Json, Json];
    expect(second).toMatchObject({ metadata: { resourceVersion: '1' }, status: { phase: 'Running' } });
    expect(second['metadata']).not.toHaveProperty('managedFields');
    expect(second['spec']).toBe(first['spec']);
    expect((second['metadata'] as Json)['labels']).toBe((first['metadata'] as Json)['labels']);
    expect(cache.problems()).toEqual([]);
  });

  it('shares nothing where nothing is known', () => {
    const text =
      '{"items":[{"metadata":{"name":"a-1","managedFields":[]},"spec":{"a":[{}]}},{"metadata":{"name":"a-2"},"spec":{"a":[{}]}}]}';
    const items: Json[] = [];
    new ListDecoder<Json>({ ...shape, resource: 'pods' }).push(utf8.encode(text), (chunk) => items.push(...chunk.items));
    expect(items.map(({ spec }) => spec)).toEqual([{ a: [{}] }, { a: [{}] }]);
    expect(items[0]?.['spec']).not.toBe(items[1]?.['spec']);
    expect(items.some(({ spec }) => Object.isFrozen(spec))).toBe(false);
  });

  it('makes of the events of a watch what the plain parser makes of them, and fails where that fails', () => {
    fc.assert(
      fc.property(texts, (versions) => {
        const cache = new Cache();
        for (const bytes of versions) {
          const expected = plain(bytes, false);
          const line = [utf8.encode('{"type":"MODIFIED","object":'), bytes, utf8.encode('}\n')];
          let outcome: Outcome = 'error';
          try {
            const decoder = new WatchDecoder<Json>(shape, cache);
            for (const part of line)
              decoder.push(part, ([event]) => {
                outcome = { value: event?.object };
                cache.add(event?.object as Json);
              });
          } catch {
            outcome = 'error';
          }
          expect(exactly(outcome)).toBe(exactly(expected));
        }
        expect(cache.problems()).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('makes of the items of a list what the plain parser makes of them, cut anywhere', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        fc.boolean(),
        (versions, places, again) => {
          const cache = new Cache();
          const good = versions.map((bytes) => ({ bytes, outcome: plain(bytes, true) })).filter(({ outcome }) => outcome !== 'error');
          const body = utf8.encode(`{"items":[${good.map(({ bytes }) => strict.decode(bytes)).join(',')}]}`);
          for (let round = 0; round < (again ? 2 : 1); round += 1) {
            const decoder = new ListDecoder<Json>({ ...shape, resource: 'pods' }, cache);
            const items: Json[] = [];
            for (const part of cut(body, places)) decoder.push(part, (chunk) => items.push(...chunk.items));
            decoder.end();
            expect(items).toHaveLength(good.length);
            good.forEach(({ outcome }, at) =>
              expect(exactly(typeFirst(items[at]))).toBe(exactly(typeFirst((outcome as { value: unknown }).value))),
            );
            items.forEach((item) => cache.add(item));
          }
          expect(cache.problems()).toEqual([]);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
