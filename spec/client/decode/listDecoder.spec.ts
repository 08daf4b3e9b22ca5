import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DecodeError } from '../../../src/api/errors/decodeError.js';
import type { KubernetesObject, ListMeta } from '../../../src/api/kubernetesObject.js';
import type { ListChunk } from '../../../src/api/listerWatcher.js';
import { ListDecoder, type ListShape } from '../../../src/client/decode/listDecoder.js';
import { cut, places } from '../cut.js';
import { runs } from '../../tier.js';
import { anyCharacter } from '../../anyCharacter.js';

const shape: ListShape = { resource: 'pods', kind: 'Pod', apiVersion: 'v1', managedFields: 'keep', metadataOnly: false };
const utf8 = new TextEncoder();

function decode(chunks: readonly Uint8Array[], overrides: Partial<ListShape> = {}): ListChunk<KubernetesObject>[] {
  const decoder = new ListDecoder<KubernetesObject>({ ...shape, ...overrides });
  const emitted: ListChunk<KubernetesObject>[] = [];
  const emit = (chunk: ListChunk<KubernetesObject>) => emitted.push(chunk);
  for (const chunk of chunks) decoder.push(chunk, emit);
  decoder.end();
  return emitted;
}

function decodeText(
  text: string,
  overrides?: Partial<ListShape>,
): { kind?: string; apiVersion?: string; metadata?: ListMeta; items: readonly KubernetesObject[] } {
  return whole(decode([utf8.encode(text)], overrides));
}

function whole(chunks: readonly ListChunk<KubernetesObject>[]) {
  return { ...chunks.reduce((all, chunk) => ({ ...all, ...chunk }), {}), items: chunks.flatMap(({ items }) => items) };
}

const trickyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', '\u2028', 'é', '𝄞', ' ') }),
);
const json = fc.jsonValue({ depthSize: 'small', stringUnit: fc.constantFrom('"', '\\', '}', ']', 'ü', '𝄞', 'a', '\u2028') });
const item = fc.dictionary(trickyText, json, { maxKeys: 5 });
const field = fc.oneof(
  fc.record({ key: fc.constant('kind'), value: fc.constant('PodList') }),
  fc.record({ key: fc.constant('apiVersion'), value: fc.constant('v1') }),
  fc.record({ key: fc.constant('metadata'), value: fc.dictionary(trickyText, json) }),
  fc.record({ key: fc.constant('items'), value: fc.array(item) }),
  fc.record({ key: trickyText.map((text) => `x-${text}`), value: json }),
);
const list = fc
  .uniqueArray(field, { selector: ({ key }) => key, maxLength: 8 })
  .filter((fields) => fields.some(({ key }) => key === 'items'))
  .map((fields) => Object.fromEntries(fields.map(({ key, value }) => [key, value])) as { items: Record<string, unknown>[] });

describe('listDecoder', () => {
  it('decodes a list whose chunks come in the same memory, one after the other', () => {
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 200 }), (value, size) => {
        const text = JSON.stringify(value);
        const bytes = utf8.encode(text.padEnd(text.length + size));
        const memory = new Uint8Array(size);
        const decoder = new ListDecoder<KubernetesObject>(shape);
        const emitted: ListChunk<KubernetesObject>[] = [];
        for (let at = 0; at + size <= bytes.length; at += size) {
          memory.set(bytes.subarray(at, at + size));
          decoder.push(memory, (chunk) => emitted.push(chunk));
        }
        decoder.end();
        expect(whole(emitted)).toEqual(decodeText(text));
      }),
      { numRuns: runs(300) },
    );
  });

  it('decodes any list cut anywhere to what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(list, fc.constantFrom(0, 2, '\t'), places, (value, space, where) => {
        const text = JSON.stringify(value, undefined, space);
        const parsed = JSON.parse(text) as { items: Record<string, unknown>[]; kind?: string; apiVersion?: string; metadata?: ListMeta };
        const { kind, apiVersion, metadata } = parsed;
        const decoded = whole(decode(cut(utf8.encode(text), where)));
        expect(decoded).toEqual({
          ...(kind !== undefined && { kind }),
          ...(apiVersion !== undefined && { apiVersion }),
          ...(metadata !== undefined && { metadata }),
          items: parsed.items.map((each) => ({ ...each, kind: each['kind'] ?? 'Pod', apiVersion: each['apiVersion'] ?? 'v1' })),
        });
      }),
      { numRuns: runs(500) },
    );
  });

  it('decodes a list that comes byte by byte', () => {
    const text = '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"\\"a\\\\"}},{"n":-1.5e3}]} \n';
    const decoded = whole(decode([...utf8.encode(text)].map((byte) => Uint8Array.of(byte))));
    expect(decoded).toEqual({
      kind: 'PodList',
      metadata: { resourceVersion: '7' },
      items: [
        { kind: 'Pod', apiVersion: 'v1', metadata: { name: '"a\\' } },
        { kind: 'Pod', apiVersion: 'v1', n: -1500 },
      ],
    });
  });

  it('emits the items that have come, before the rest of the body', () => {
    const decoder = new ListDecoder<KubernetesObject>(shape);
    const emitted: ListChunk<KubernetesObject>[] = [];
    const push = (text: string) => decoder.push(utf8.encode(text), (chunk) => emitted.push(chunk));
    push('{"items":[{"metadata":{"name":"a"}},{"meta');
    expect(emitted).toEqual([{ items: [{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } }] }]);
    push('data":');
    expect(emitted).toHaveLength(1);
    push('{"name":"b"}}],"metadata":{"resourceVersion":"9"}}');
    expect(emitted[1]).toEqual({ metadata: { resourceVersion: '9' }, items: [{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'b' } }] });
  });

  it('keeps the type of items that have their own', () => {
    const own = '{"spec":1,"kind":"WebSite","apiVersion":"example.com/v1"}';
    expect(decodeText(`{"items":[${own},{"kind":"Other"},{}, { "a" : 1 }]}`).items).toEqual([
      { kind: 'WebSite', apiVersion: 'example.com/v1', spec: 1 },
      { kind: 'Other', apiVersion: 'v1' },
      { kind: 'Pod', apiVersion: 'v1' },
      { kind: 'Pod', apiVersion: 'v1', a: 1 },
    ]);
  });

  it('gives listed objects the fields in the order of watched ones', () => {
    const [listed] = decodeText('{"items":[{"metadata":{},"spec":{}}]}').items;
    expect(Object.keys(listed ?? {})).toEqual(['kind', 'apiVersion', 'metadata', 'spec']);
    const [custom] = decodeText('{"items":[{"apiVersion":"example.com/v1","kind":"WebSite","spec":{}}]}').items;
    expect(Object.keys(custom ?? {})).toEqual(['apiVersion', 'kind', 'spec']);
  });

  it.each([
    ['null items', '{"kind":"PodList","items":null}'],
    ['null items of no kind', '{"items":null}'],
    ['no items', '{"kind":"PodList","metadata":{}}'],
    ['an empty array', '{"items":[]}'],
  ])('takes %s for an empty list', (_, text) => {
    expect(decodeText(text).items).toEqual([]);
  });

  it('leaves a kind and an apiVersion out that are no text', () => {
    expect(decodeText('{"kind":5,"apiVersion":{},"metadata":1,"items":[]}')).toEqual({ items: [] });
  });

  it('leaves managedFields out where told to', () => {
    const text = '{"items":[{"metadata":{"name":"a","managedFields":[{"manager":"m"}],"uid":"u"}},{"metadata":null}]}';
    expect(decodeText(text, { managedFields: 'drop' }).items.map(({ metadata }) => metadata)).toEqual([{ name: 'a', uid: 'u' }, null]);
    expect(decodeText(text).items[0]?.metadata?.managedFields).toEqual([{ manager: 'm' }]);
  });

  it('reduces whole objects to their metadata where only that was asked for', () => {
    const text = '{"items":[{"metadata":{"name":"a"},"spec":{}}]}';
    expect(decodeText(text, { metadataOnly: true }).items).toEqual([
      { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } },
    ]);
  });

  const secret = 'c2VjcmV0';
  it.each([
    ['a Table', `{"kind":"Table","rows":["${secret}"]}`, 'Expected a list of pods, got a Table'],
    ['a Status', `{"kind":"Status","message":"${secret}"}`, 'Expected a list of pods, got a Status'],
    ['an object without items', `{"a":"${secret}"}`, 'Expected a list of pods, got an object without `items`'],
    ['a page of HTML', `<html>${secret}</html>`, 'Expected a list of pods, got something else than a JSON object'],
    ['an array', `["${secret}"]`, 'Expected a list of pods, got something else than a JSON object'],
    ['an empty body', '', 'Expected a list of pods, got the beginning of one'],
    ['a truncated body', `{"items":[{"a":"${secret}"}`, 'Expected a list of pods, got the beginning of one'],
    ['items that are no array', `{"items":"${secret}"}`, 'Expected a list of pods, got `items` that are not an array'],
    ['an item that is no object', `{"items":["${secret}"]}`, 'Expected an item of the list to be an object, got something else'],
    ['an item that is no JSON', `{"items":[{"a":${secret}}]}`, 'Expected an item of the list to be JSON, got something malformed'],
    ['mismatched brackets', `{"items":[{"a":["${secret}"}]}`, 'Expected an item of the list to be JSON'],
    ['a field nobody needs that is no JSON', `{"kind":"PodList","a":${secret},"items":[]}`, 'Expected a field of the list to be JSON'],
    ['items that come twice', `{"items":[],"a":"${secret}","items":[]}`, 'Expected a list of pods, got `items` twice'],
    [
      'items that come twice, as nothing first',
      `{"items":null,"a":"${secret}","\\u0069tems":[]}`,
      'Expected a list of pods, got `items` twice',
    ],
    ['a missing comma', `{"kind":"PodList" "items":["${secret}"]}`, 'Expected a list of pods, got malformed JSON'],
    ['a semicolon between fields', `{"a":"${secret}";"items":[]}`, 'Expected a list of pods, got malformed JSON'],
    ['a semicolon between items', `{"items":[{"a":"${secret}"};{}]}`, 'Expected a list of pods, got malformed JSON'],
    ['a field without a value', `{"a":,"items":["${secret}"]}`, 'Expected a list of pods, got malformed JSON'],
    ['a missing colon', `{"kind" "${secret}"}`, 'Expected a list of pods, got malformed JSON'],
    ['a comma too many', `{"kind":"PodList",}`, 'Expected a list of pods, got malformed JSON'],
    ['a comma too many between items', `{"items":[{"a":"${secret}"},]}`, 'Expected an item of the list to be JSON'],
    ['an empty object', '{}', 'Expected a list of pods, got an object without `items`'],
    ['a key without quotes', `{${secret}:1}`, 'Expected a list of pods, got malformed JSON'],
    ['two lists', '{"items":[]}{"items":[]}', 'Expected a list of pods, got something behind it'],
  ])('refuses %s, and quotes nothing of it', (_, text, message) => {
    let error: unknown;
    try {
      decodeText(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ code: 'ERR_DECODE', message: expect.stringContaining(message) as unknown });
    expect(String(error)).not.toContain(secret);
  });

  it('refuses an item that is too long', () => {
    const chunk = utf8.encode('x'.repeat(1024 * 1024));
    const chunks = [utf8.encode('{"items":[{"a":"'), ...Array.from({ length: 17 }, () => chunk)];
    expect(() => decode(chunks)).toThrow('Expected a value of the list to have at most 16777216 bytes, got more');
  });

  it('takes a chunk of any size behind one that was cut', () => {
    const items = Array.from(
      { length: 18 },
      (_, at) => `{"metadata":{"name":"${at}"},"a":"${'x'.repeat(at % 3 === 0 ? 2_000_000 : 700_000)}"}`,
    );
    const bytes = utf8.encode(`{"items":[${items.join(',')}]}`);
    expect(bytes.length).toBeGreaterThan(16 * 1024 * 1024);
    const { items: found } = whole(decode([bytes.subarray(0, 1_000), bytes.subarray(1_000)]));
    expect(found.map(({ metadata }) => metadata?.name)).toEqual(items.map((_, at) => String(at)));
  });

  it('says where in the body an item is wrong', () => {
    const text = '{"items":[{"a":1},{"a":x}]}';
    expect(() => decode(cut(utf8.encode(text), [0.3, 0.8]))).toThrow(`at byte ${text.indexOf('{"a":x')} of the body`);
  });

  it.each([
    ['a field', '{"kind":"PodList","metadata":{x}}', '{x}'],
    ['a key', '{"kind":"PodList","\\x":1}', '"\\x'],
    ['an unknown one', '{"kind":"PodList","items":true}', 'true'],
  ])('says where in the body %s is wrong', (_, text, wrong) => {
    for (const at of [0, 0.2, 0.6, 0.9]) {
      expect(() => decode(cut(utf8.encode(text), [at]))).toThrow(`at byte ${text.indexOf(wrong)} of the body`);
    }
  });

  it('refuses bytes that are not UTF-8 instead of replacing them', () => {
    const bytes = utf8.encode('{"items":[{"a":"_"}]}');
    bytes[bytes.indexOf(0x5f)] = 0xff;
    expect(() => decode([bytes])).toThrow('Expected an item of the list to be UTF-8');
  });

  it('takes as white space what JSON.parse takes, and no other control characters', () => {
    const list = (byte: number): string => ['{', '"items"', ':', '[', '{"metadata":{}}', ']', '}', ''].join(String.fromCharCode(byte));
    for (const byte of [0x20, 0x09, 0x0a, 0x0d]) expect(whole(decode([utf8.encode(list(byte))])).items).toHaveLength(1);
    for (const byte of [0x00, 0x0b, 0x0c, 0x1a, 0x1f]) expect(() => decode([utf8.encode(list(byte))])).toThrow('malformed JSON');
  });

  it('lets the memory of a chunk be used again', () => {
    const text = utf8.encode('{"items":[{"metadata":{"name":"first"}},{"metadata":{"name":"second"}}]}');
    const decoder = new ListDecoder<KubernetesObject>(shape);
    const names: unknown[] = [];
    const buffer = new Uint8Array(16);
    for (let at = 0; at < text.length; at += 16) {
      const part = text.subarray(at, at + 16);
      buffer.set(part);
      decoder.push(buffer.subarray(0, part.length), ({ items }) => names.push(...items.map(({ metadata }) => metadata?.name)));
    }
    expect(names).toEqual(['first', 'second']);
  });
});
