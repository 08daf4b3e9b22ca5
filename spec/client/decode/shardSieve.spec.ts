import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListChunk, WatchChunk } from '../../../src/api/listerWatcher.js';
import { type ShardField, slotOfObject } from '../../../src/api/shardFilter.js';
import type { Decoder } from '../../../src/client/decode/decoder.js';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';

const utf8 = new TextEncoder();

function decoded<T>(decoder: Decoder<T>, text: string, cuts: readonly number[]): T[] {
  const bytes = utf8.encode(text);
  const values: T[] = [];
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((one, other) => one - other);
  let start = 0;
  for (const end of ends) {
    decoder.push(bytes.slice(start, end), (value) => values.push(value));
    start = end;
  }
  decoder.end((value) => values.push(value));
  return values;
}

/** Objects as servers write them, and as they do not: with their metadata last, with escapes, without the field, with the field's text elsewhere. */
const objects = fc.record({
  uid: fc.option(fc.uuid(), { nil: undefined }),
  namespace: fc.option(fc.constantFrom('web', 'db', 'with"quote', 'kube-system'), { nil: undefined }),
  name: fc.constantFrom('a', '"uid":"x', 'b\\'),
  labels: fc.dictionary(fc.constantFrom('uid', 'namespace', 'metadata'), fc.string(), { maxKeys: 2 }),
  isLate: fc.boolean(),
  data: fc.string({ maxLength: 2000 }),
  // Texts that look like items of a list, as values and in strings.
  inner: fc.array(fc.record({ metadata: fc.record({ uid: fc.uuid(), name: fc.constantFrom('},{"metadata":{', '\\', '"]}') }) }), {
    maxLength: 3,
  }),
});

function jsonOf({
  uid,
  namespace,
  name,
  labels,
  isLate,
  data,
  inner,
}: typeof objects extends fc.Arbitrary<infer T> ? T : never): KubernetesObject {
  const metadata = { name, labels, ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) };
  return (isLate
    ? { data: { data, metadata: { uid: 'other' } }, inner, metadata }
    : { metadata, data: { data }, inner }) as unknown as KubernetesObject;
}

const shards = fc.record({
  by: fc.constantFrom<ShardField>('uid', 'namespace'),
  slots: fc.uniqueArray(fc.nat(127)).map((all) => new Set(all)),
});
const shape = { apiVersion: 'v1', kind: 'ConfigMap', managedFields: 'drop', metadataOnly: false, resource: 'configmaps' } as const;

describe('decoders of a shard', () => {
  it.each([
    ['as API servers write it', (value: unknown) => JSON.stringify(value)],
    ['with white space', (value: unknown) => JSON.stringify(value, null, 1)],
  ])('keep of a list what the hash says and nothing else, %s', (_, text) => {
    fc.assert(
      fc.property(fc.array(objects), shards, fc.array(fc.nat(), { maxLength: 5 }), (descriptions, shard, cuts) => {
        const items = descriptions.map(jsonOf);
        const list = text({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items });
        const chunks = decoded<ListChunk<KubernetesObject>>(new ListDecoder({ ...shape, shard }, {}), list, cuts);
        const own = items.filter((item) => shard.slots.has(slotOfObject(item, shard.by)));
        expect(chunks.flatMap((chunk) => chunk.items).map(({ metadata }) => metadata)).toEqual(own.map(({ metadata }) => metadata));
      }),
    );
  });

  it('keep of a list what the hash says wherever its bytes are cut', () => {
    const inner = [{ metadata: { uid: 'inner', name: 'a"},{"metadata":{"uid":"' } }, { metadata: { uid: 'inner' } }];
    const items = Array.from({ length: 6 }, (_, at) => ({ metadata: { uid: `${at}-of-the-list`, name: 'b\\' }, inner, end: '}]' }));
    const list = JSON.stringify({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items });
    const own = items.filter((_, at) => at % 2 === 0);
    const shard = { by: 'uid', slots: new Set(own.map((item) => slotOfObject(item, 'uid'))) } as const;
    expect(items.filter((item) => shard.slots.has(slotOfObject(item, 'uid')))).toEqual(own);
    for (let place = 0; place <= list.length; place += 1) {
      const chunks = decoded<ListChunk<KubernetesObject>>(new ListDecoder({ ...shape, shard }, {}), list, [place, place + 1]);
      expect(chunks.flatMap((chunk) => chunk.items)).toEqual(own.map((item) => ({ kind: 'ConfigMap', apiVersion: 'v1', ...item })));
    }
  });

  it.each<ShardField>(['uid', 'namespace'])('parse nothing of the objects of other shards, which are found by their %s', (by) => {
    const items = Array.from({ length: 50 }, (_, at) => ({
      metadata: { name: 'a', labels: { uid: 'x' }, namespace: `namespace-${at}`, uid: `${at}-of-the-list` },
      data: { a: 'x'.repeat(200) },
    }));
    const shard = { by, slots: new Set<number>() };
    const events = items.map((object) => `{"type":"MODIFIED","object":${JSON.stringify(object)}}\n`);
    const parse = jest.spyOn(JSON, 'parse');
    const chunks = decoded<ListChunk<KubernetesObject>>(new ListDecoder({ ...shape, shard }, {}), JSON.stringify({ items }), [1_000]);
    const told = decoded<WatchChunk<KubernetesObject>>(new WatchDecoder({ ...shape, shard }, {}), events.join(''), [1_000]).flat();
    const parsed = parse.mock.calls.map(([text]) => text);
    jest.restoreAllMocks();
    expect([chunks.flatMap((chunk) => chunk.items), told]).toEqual([[], []]);
    // The name of the one field, and the rest after the last line.
    expect(parsed).toEqual(['"items"', '']);
  });

  it.each([
    ['metadata', '{"metadata":{"name":"a","uid":"of-one"},"data":{},"metadata":{"name":"a","uid":"of-another"}}'],
    ['metadata, with an escape', '{"metadata":{"name":"a","uid":"of-one"},"data":{},"meta\\u0064ata":{"name":"a","uid":"of-another"}}'],
    ['metadata, which are null first', '{"metadata":null,"data":{},"metadata":{"name":"a","uid":"of-another"}}'],
    ['the field', '{"metadata":{"uid":"of-one","name":"a","uid":"of-another"},"data":{}}'],
    ['the field, with an escape', '{"metadata":{"uid":"of-one","name":"a","\\u0075id":"of-another"},"data":{}}'],
    ['the field, once as something else', '{"metadata":{"uid":"of-one","name":"a","uid":null,"uid":"of-another"},"data":{}}'],
  ])('take the last of several, as parsers do, of %s', (_, object) => {
    const [first, last] = ['of-one', 'of-another'].map((uid) => slotOfObject({ metadata: { uid } }, 'uid'));
    const counts = [new Set([last as number]), new Set([first as number])].map((slots) => {
      const shard = { by: 'uid', slots } as const;
      const items = decoded<ListChunk<KubernetesObject>>(new ListDecoder({ ...shape, shard }, {}), `{"items":[${object},${object}]}`, [30]);
      const events = decoded<WatchChunk<KubernetesObject>>(
        new WatchDecoder({ ...shape, shard }, {}),
        `{"type":"ADDED","object":${object}}\n`,
        [],
      ).flat();
      return [items.flatMap((chunk) => chunk.items).length, events.length];
    });
    expect(counts).toEqual([
      [2, 1],
      [0, 0],
    ]);
  });

  it('know a text that is not ASCII by its characters, not by its bytes', () => {
    const metadata = { name: 'a', uid: 'ü' };
    const shard = { by: 'uid', slots: new Set([slotOfObject({ metadata }, 'uid')]) } as const;
    const event = `${JSON.stringify({ type: 'ADDED', object: { metadata } })}\n`;
    const told = decoded<WatchChunk<KubernetesObject>>(new WatchDecoder({ ...shape, shard }, {}), event, []).flat();
    expect(told.map(({ object }) => object.metadata)).toEqual([metadata]);
  });

  it('leave out the last event of a watch, too, whose line has no end', () => {
    const event = JSON.stringify({ type: 'MODIFIED', object: { metadata: { name: 'a', uid: 'x' } } });
    const slots = (own: boolean) => new Set(own ? [slotOfObject({ metadata: { uid: 'x' } }, 'uid')] : []);
    const told = (own: boolean) =>
      decoded<WatchChunk<KubernetesObject>>(new WatchDecoder({ ...shape, shard: { by: 'uid', slots: slots(own) } }, {}), event, []).flat();
    expect([told(true).length, told(false).length]).toEqual([1, 0]);
  });

  it('keep of a watch what the hash says, and bookmarks and errors', () => {
    fc.assert(
      fc.property(fc.array(objects), shards, fc.array(fc.nat(), { maxLength: 5 }), (descriptions, shard, cuts) => {
        const items = descriptions.map(jsonOf);
        const lines = [
          ...items.map((object) => ({ type: 'MODIFIED', object: { kind: 'ConfigMap', apiVersion: 'v1', ...object } })),
          { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '7' } } },
          { type: 'ERROR', object: { kind: 'Status', code: 410 } },
        ];
        const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        const events = decoded<WatchChunk<KubernetesObject>>(new WatchDecoder({ ...shape, shard }, {}), body, cuts).flat();
        const own = items.filter((item) => shard.slots.has(slotOfObject(item, shard.by)));
        expect(events.map(({ type }) => type)).toEqual([...own.map(() => 'MODIFIED'), 'BOOKMARK', 'ERROR']);
        expect(events.slice(0, -2).map((event) => event.object.metadata)).toEqual(own.map(({ metadata }) => metadata));
      }),
    );
  });
});
