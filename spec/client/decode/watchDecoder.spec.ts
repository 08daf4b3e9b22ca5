import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DecodeError } from '../../../src/api/errors/decodeError.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { WatchChunk, WatchEvent } from '../../../src/api/listerWatcher.js';
import type { ObjectShape } from '../../../src/client/decode/objectShape.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { cut, places } from '../cut.js';
import { runs } from '../../tier.js';
import { anyCharacter } from '../../anyCharacter.js';

const utf8 = new TextEncoder();
const type = { kind: 'Pod', apiVersion: 'v1' };
const keep: ObjectShape = { managedFields: 'keep', metadataOnly: false };

interface Decoded {
  readonly events: WatchEvent<KubernetesObject>[];
  readonly error?: unknown;
}

function decode(chunks: readonly Uint8Array[], shape = keep): Decoded {
  const decoder = new WatchDecoder<KubernetesObject>({ ...type, ...shape });
  const events: WatchEvent<KubernetesObject>[] = [];
  const emit = (part: WatchChunk<KubernetesObject>) => events.push(...part);
  try {
    for (const chunk of chunks) decoder.push(chunk, emit);
    decoder.end(emit);
  } catch (error) {
    return { events, error };
  }
  return { events };
}

const decodeText = (text: string, shape?: ObjectShape) => decode([utf8.encode(text)], shape);

const event = (name: string): WatchEvent<KubernetesObject> => ({ type: 'ADDED', object: { kind: 'Pod', metadata: { name } } });
const line = (name: string) => `${JSON.stringify(event(name))}\n`;

describe('watchDecoder', () => {
  it('decodes any events cut anywhere to what was sent (RT-11)', () => {
    const name = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('\n', '\r', '\u2028', '\u2029', '"', '\\', 'é', '𝄞') }),
    );
    const ending = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\r\n');
    const lines = fc.array(fc.tuple(name, ending), { maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.boolean(), places, (each, endedLine, where) => {
        const text = each.map(([text, end]) => JSON.stringify(event(text)) + end).join('');
        const decoded = decode(cut(utf8.encode(endedLine ? text : text.trimEnd()), where));
        expect(decoded).toEqual({ events: each.map(([text]) => event(text)) });
      }),
      { numRuns: runs(500) },
    );
  });

  it('joins a character that is cut in the middle', () => {
    const bytes = utf8.encode(line('𝄞'));
    const at = bytes.indexOf(0xf0) + 2;
    expect(decode([bytes.slice(0, at), bytes.slice(at)]).events).toEqual([event('𝄞')]);
  });

  it('lets the memory of a chunk be used again', () => {
    const bytes = utf8.encode(line('first') + line('second'));
    const decoder = new WatchDecoder<KubernetesObject>({ ...type, ...keep });
    const events: unknown[] = [];
    const buffer = new Uint8Array(16);
    for (let at = 0; at < bytes.length; at += 16) {
      const part = bytes.subarray(at, at + 16);
      buffer.set(part);
      decoder.push(buffer.subarray(0, part.length), (part) => events.push(...part));
    }
    expect(events).toEqual([event('first'), event('second')]);
  });

  it('splits at line feeds only, not at other line separators', () => {
    expect(decodeText('{"type":"ADDED","object":{"a":"x\u2028y\u2029z\u0085"}}\n').events).toEqual([
      { type: 'ADDED', object: { a: 'x\u2028y\u2029z\u0085' } },
    ]);
  });

  it('emits the events before one that it cannot decode, and says where that stands', () => {
    const first = line('a');
    const { events, error } = decodeText(`${first}{"type":"ADDED","object":{"data":"c2VjcmV0"}\n${line('b')}`);
    expect(events).toEqual([event('a')]);
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({
      position: first.length,
      message: `Expected an event of the watch to be JSON, got something malformed at byte ${first.length} of the body`,
    });
  });

  it.each([
    ['an unknown type', '{"type":"RENAMED","object":{}}'],
    ['no type', '{"object":{}}'],
    ['no object', '{"type":"ADDED"}'],
    ['an object that is none', '{"type":"ADDED","object":[]}'],
    ['a value that is no event', '"ADDED"'],
    ['null', 'null'],
  ])('refuses %s (RT-10)', (_, text) => {
    expect(decodeText(`${text}\n`).error).toMatchObject({
      message: expect.stringMatching(/known `type` and an `object`/) as unknown,
      position: 0,
    });
  });

  it.each([
    '{"type":"ADDED","object":{"a":1}]',
    '{"type":"MODIFIED","object":{"a":1}x',
    '{"type":"DELETED","object":{"a":1}',
    '{"type":"ADDED","object":x}',
  ])('refuses %s, which is no JSON', (text) => {
    expect(decodeText(`${text}\n`).error).toMatchObject({ message: expect.stringContaining('to be JSON') as unknown, position: 0 });
  });

  it('takes a BOOKMARK that says nothing', () => {
    const decoder = new WatchDecoder<KubernetesObject>({ ...type, ...keep }, {});
    const events: WatchEvent<KubernetesObject>[] = [];
    const bookmarks = [{}, { metadata: null }, { metadata: {} }, { metadata: { annotations: null } }].map((object) => ({
      type: 'BOOKMARK',
      object,
    }));
    for (const each of bookmarks) decoder.push(utf8.encode(`${JSON.stringify(each)}\n`), (part) => events.push(...part));
    expect(events).toEqual(bookmarks);
  });

  it('emits the events that come together as one part', () => {
    const bytes = utf8.encode(line('a') + line('b') + line('c'));
    const decoder = new WatchDecoder<KubernetesObject>({ ...type, ...keep });
    const parts: unknown[] = [];
    for (const [start, end] of [
      [0, bytes.length - 5],
      [bytes.length - 5, bytes.length - 2],
      [bytes.length - 2, bytes.length],
    ])
      decoder.push(bytes.slice(start, end), (part) => parts.push(part));
    expect(parts).toEqual([[event('a'), event('b')], [event('c')]]);
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = utf8.encode(line('_'));
    bytes[bytes.indexOf(0x5f)] = 0xc3;
    expect(decode([bytes]).error).toBeInstanceOf(DecodeError);
  });

  it('drops what a broken connection left of the last event (RT-10)', () => {
    const text = line('a') + line('b');
    expect(decodeText(text.slice(0, -10))).toEqual({ events: [event('a')] });
  });

  it('takes events of 16 MiB and no larger ones (RT-09)', () => {
    const ofSize = (size: number) => {
      const frame = '{"type":"ADDED","object":{"a":""}}';
      return `{"type":"ADDED","object":{"a":"${'x'.repeat(size - frame.length)}"}}\n`;
    };
    const limit = 16 * 1024 * 1024;
    expect(decodeText(ofSize(limit)).events).toHaveLength(1);
    expect(decodeText(ofSize(limit + 1)).error).toMatchObject({ message: expect.stringContaining(`at most ${limit} bytes`) as unknown });
  });

  it('leaves managedFields out where told to, of objects and nothing else', () => {
    const object = { metadata: { name: 'a', managedFields: [] } };
    const text = `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
    expect(decodeText(text, { managedFields: 'drop', metadataOnly: false }).events).toEqual([
      { type: 'MODIFIED', object: { metadata: { name: 'a' } } },
    ]);
    expect(decodeText(text).events).toEqual([{ type: 'MODIFIED', object }]);
  });

  it('passes ERROR and BOOKMARK on as they are', () => {
    const events = [
      { type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: '5' } } },
      { type: 'ERROR', object: { kind: 'Status', code: 410 } },
    ];
    const text = events.map((each) => `${JSON.stringify(each)}\n`).join('');
    expect(decodeText(text, { managedFields: 'drop', metadataOnly: true }).events).toEqual(events);
  });

  it('reduces whole objects to their metadata where only that was asked for', () => {
    const text = '{"type":"DELETED","object":{"kind":"Pod","metadata":{"name":"a"},"spec":{}}}\n';
    expect(decodeText(text, { managedFields: 'drop', metadataOnly: true }).events).toEqual([
      { type: 'DELETED', object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } } },
    ]);
  });
});
