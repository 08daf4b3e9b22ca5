import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { listBytes, valueBytes, type Layout } from '../../src/http/layout.js';
import { yamlOf } from '../../src/http/yamlText.js';
import { anyCharacter } from '../../../../spec/anyCharacter.js';

const layouts: readonly Layout[] = ['compact', 'pretty', 'yaml'];

/** The whole list, made at once. */
function plainly(value: unknown, layout: Layout): string {
  // Parsed again, since YAML writes an anchor for an object that occurs twice.
  if (layout === 'yaml') return yamlOf(JSON.parse(JSON.stringify(value)));
  return `${JSON.stringify(value, null, layout === 'pretty' ? 2 : 0)}\n`;
}

/** A list in parts; `apiVersion` comes before its items in YAML, `kind` and `metadata` after them. */
function inParts(
  items: readonly unknown[],
  layout: Layout,
  metadata: object = { resourceVersion: '7' },
): { readonly parts: string; readonly whole: string } {
  const head = `${JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata }).slice(0, -1)},"items":[`;
  const bytes = listBytes({ head, items: items.map((item) => [Buffer.from(JSON.stringify(item))]), tail: ']}' }, layout);
  return {
    parts: Buffer.concat([...bytes]).toString(),
    whole: plainly({ kind: 'PodList', apiVersion: 'v1', metadata, items }, layout),
  };
}

const awkward = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n\n',
  'a\n',
  'a\n\nb',
  '\n  a\n b\n\n',
  '  indented\nthen not',
  'ends with spaces  \n \t\nand\ttabs\n\n\n',
  'a\u2028b\u2029c\u0085d\re\r\nf',
  '---\ntext\n...\n',
  '# no comment',
  '- no: list',
  '[]',
  '{}',
  'true',
  'null',
  '~',
  '0x1f',
  '1e3',
  'items: []',
  '*no-alias',
  '!no-tag',
  `"quoted", with: "colons" and\nmore than forty characters on \\ several lines\n\n  of text`,
  'x'.repeat(200),
  `${'words '.repeat(40)}\n${'more words '.repeat(40)}`,
);
const text = fc.oneof(
  awkward,
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('\n', ' ', 'a', '\t', '#', '-', ':', '"') }),
);
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const object = fc.dictionary(text, anything, { minKeys: 0, maxKeys: 4, noNullPrototype: true });

describe('listBytes', () => {
  it.each(layouts)('lays out no item, one and many as the whole list would be (%s)', (layout) => {
    const pod = { metadata: { name: 'a', annotations: { script: 'one\n\n  two\n' } }, spec: { containers: [{ name: 'c', args: [] }] } };
    for (const items of [[], [pod], [pod, {}, pod]]) {
      const { parts, whole } = inParts(items, layout);
      expect(parts).toBe(whole);
    }
  });

  it.each(layouts)('lays out whatever items hold as the whole list would be (%s)', (layout) => {
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('continue', 'resourceVersion'), text),
        (items, metadata) => {
          const { parts, whole } = inParts(items, layout, metadata);
          expect(parts).toBe(whole);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('holds no more than one item at a time', () => {
    let made = 0;
    const items = (function* () {
      for (; made < 10; made += 1) yield [Buffer.from('{}')];
    })();
    const bytes = listBytes({ head: '{"items":[', items, tail: ']}' }, 'pretty');
    bytes.next();
    bytes.next();
    expect(made).toBeLessThanOrEqual(2);
  });
});

describe('yamlOf', () => {
  it('says what the value is', () => {
    fc.assert(
      fc.property(object, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        expect(parse(yamlOf(plain))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('quotes what older readers take for something else (row 55)', () => {
    const value = { a: '1', n: 'yes', t: '2026-01-01T00:00:00Z', p: 'plain', o: '0x1f', list: [{ x: '' }] };
    const lines = ['a: "1"', 'list:', '- x: ""', '"n": "yes"', 'o: "0x1f"', 'p: plain', 't: "2026-01-01T00:00:00Z"', ''];
    expect(yamlOf(value)).toBe(lines.join('\n'));
  });
});

describe('valueBytes', () => {
  it.each(layouts)('lays out a value that came in parts (%s)', (layout) => {
    const bytes = valueBytes([Buffer.from('{"kind":"Pod",'), Buffer.from('"spec":{"text":"a\\n\\nb"}}')], layout);
    expect(bytes.toString()).toBe(plainly({ kind: 'Pod', spec: { text: 'a\n\nb' } }, layout));
  });
});
