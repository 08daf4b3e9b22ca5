import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ItemShape } from '../../../src/client/decode/objectShape.js';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import { VectorScan } from '../../../src/client/decode/vectorScan.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';

interface Pod {
  readonly kind?: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: { readonly containers: readonly { readonly image: string; readonly env: readonly object[] }[] };
  readonly status: { readonly phase: string; readonly conditions: readonly object[] };
}

const shape: ItemShape = { kind: 'Pod', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false };
const utf8 = new TextEncoder();
const managedFields = [{ manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:status': { 'f:phase': {} } } }];

/** Smaller objects are not compared with one another, nor are those that are mostly text. */
const annotations = { note: Array.from({ length: 1_500 }, () => 'x') };
const note = JSON.stringify(annotations.note);

/** A pod as servers send it. */
function pod(
  name: string,
  { phase = 'Running', image = 'web:v1', metadata = {} }: { phase?: string; image?: string; metadata?: object } = {},
) {
  return {
    metadata: { name, uid: `uid of ${name}`, labels: { app: 'web', tier: 'front' }, annotations, ...metadata, managedFields },
    spec: { containers: [{ image: `registry.example.com/${image}`, env: [{ name: 'A', value: '1' }] }], nodeName: `node of ${name}` },
    status: { phase, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function listOf(body: string, sharedBy?: object, overrides: Partial<ItemShape> = {}): Pod[] {
  const items: Pod[] = [];
  const decoder = new ListDecoder<Pod>({ ...shape, ...overrides, resource: 'pods' }, sharedBy);
  decoder.push(utf8.encode(body), (chunk) => items.push(...chunk.items));
  decoder.end();
  return items;
}

const list = (items: readonly object[], sharedBy?: object): Pod[] => listOf(JSON.stringify({ items }), sharedBy);

function watch(events: readonly (readonly [type: string, object: object])[], sharedBy?: object): Pod[] {
  const objects: Pod[] = [];
  const decoder = new WatchDecoder<Pod>(shape, sharedBy);
  for (const [type, { metadata, ...rest }] of events as [string, { metadata: object }][]) {
    const object = { kind: 'Pod', apiVersion: 'v1', metadata, ...rest };
    decoder.push(utf8.encode(`${JSON.stringify({ type, object })}\n`), (part) =>
      part.forEach((event) => objects.push(event.object as Pod)),
    );
  }
  return objects;
}

/** How many characters are parsed meanwhile. */
function parsedBy(run: () => void): number {
  const parse = jest.spyOn(JSON, 'parse');
  run();
  return parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
}

afterEach(() => {
  jest.restoreAllMocks();
});

function expectFrozen(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  expect(Object.isFrozen(part)).toBe(true);
  Object.values(part).forEach(expectFrozen);
}

describe('ObjectReader, of objects that are alike', () => {
  it('gives the replicas of a list one and the same part where they are equal, frozen', () => {
    const items = list([pod('web-1'), pod('web-2', { phase: 'Pending' }), pod('web-3')], {});
    const [first, second, third] = items as [Pod, Pod, Pod];
    expect(items.map(({ metadata }) => metadata['name'])).toEqual(['web-1', 'web-2', 'web-3']);
    for (const other of [second, third]) {
      expect(other.spec.containers).toBe(first.spec.containers);
      expect(other.metadata['labels']).toBe(first.metadata['labels']);
      expect(other.status.conditions).toBe(first.status.conditions);
      expect(other.spec).not.toBe(first.spec);
    }
    expect(second.status.phase).toBe('Pending');
    expect(third.status).toBe(first.status);
    items.forEach(expectFrozen);
  });

  it('freezes what it reduces to its metadata, which siblings have in common', () => {
    const body = JSON.stringify({ items: [pod('web-1'), pod('web-2'), pod('web-3')] });
    const items = listOf(body, {}, { metadataOnly: true });
    expect(items.map((item) => Object.keys(item))).toEqual(items.map(() => ['kind', 'apiVersion', 'metadata']));
    expect(items[2]?.metadata['annotations']).toBe(items[0]?.metadata['annotations']);
    items.forEach(expectFrozen);
  });

  it('shares between lists and watches of one owner, and with nobody else', () => {
    const [owner, another] = [{}, {}];
    const [first] = list([pod('web-1'), pod('web-2')], owner);
    const [item] = list([pod('web-3')], owner);
    const [added, changed] = watch([['ADDED', pod('web-4')], ['MODIFIED', pod('web-5')]], owner); // prettier-ignore
    const [stranger] = list([pod('web-3')], another);
    for (const each of [item, added, changed]) expect(each?.spec.containers).toBe(first?.spec.containers);
    expect(stranger).toEqual(item);
    expect(stranger?.spec.containers).not.toBe(first?.spec.containers);
  });

  it('keeps what has not changed from version to version, and what is as it was before', () => {
    const phases = ['Pending', 'Running', 'Running', 'Failed', 'Pending'];
    const versions = watch(
      phases.map((phase, at) => ['MODIFIED', pod('web-1', { phase, metadata: { resourceVersion: String(at) } })]),
      {},
    );
    expect(versions.map(({ status }) => status.phase)).toEqual(phases);
    const [first, second, third, , last] = versions as [Pod, Pod, Pod, Pod, Pod];
    expect(versions.every(({ spec }) => spec === first.spec)).toBe(true);
    expect(third.status).toBe(second.status);
    expect(last.status.conditions).toBe(first.status.conditions);
  });

  it('does not compare with what has been deleted', () => {
    const before = [
      ['MODIFIED', pod('web-1')],
      ['MODIFIED', pod('db-1', { image: 'db:v1' })],
    ] as const;
    const after = ['ADDED', pod('web-2')] as const;
    const [first, , second] = watch([...before, after], {});
    expect(second?.spec.containers).toBe(first?.spec.containers);
    const [older, , , newer] = watch([...before, ['DELETED', pod('web-1')], after], {});
    expect(newer).toEqual(second);
    expect(newer?.spec.containers).not.toBe(older?.spec.containers);
  });

  it('does not compare with the last state of what was deleted, which is not frozen where it was parsed', () => {
    const other = { metadata: { name: 'web-1' }, data: { note: [...annotations.note, 'z'] } };
    const [, gone] = watch([['MODIFIED', pod('web-1')], ['DELETED', other]], {}); // prettier-ignore
    expect(gone).toEqual({ kind: 'Pod', apiVersion: 'v1', ...other });
    expect(Object.isFrozen(gone)).toBe(false);
  });

  it('compares with its own last version what is not like its family', () => {
    const other = (phase: string) => ({
      ...pod('web-2', { phase }),
      spec: { env: ['a', 'b'], nodeName: 'x', containers: [{}, {}] },
      x: 'y'.repeat(20),
    });
    const [, , second, third] = watch(
      [
        ['MODIFIED', pod('web-1')],
        ['MODIFIED', pod('web-3')],
        ['MODIFIED', other('Pending')],
        ['MODIFIED', other('Running')],
      ],
      {},
    );
    expect(third?.spec).toBe(second?.spec);
  });

  it('makes one of equal objects in arrays of objects that are not alike otherwise, where these become templates, from the second on', () => {
    const image = (at: number) => ({ names: [`registry.example.com/app-${at}@sha256:${'0'.repeat(40)}`], sizeBytes: at });
    const node = (name: string, letter: string, images: readonly object[]) => ({
      metadata: { name },
      info: annotations.note.map(() => letter),
      images,
    });
    const [first, second, third] = watch(
      [
        ['MODIFIED', node('a', 'x', [image(1), image(2), image(3)])],
        ['MODIFIED', node('b', 'y', [image(3), image(2), image(4)])],
        ['MODIFIED', node('c', 'z', [image(1), image(3), image(2)])],
      ],
      {},
    ) as unknown as { readonly images: readonly object[] }[];
    expect(second?.images).toEqual([image(3), image(2), image(4)]);
    expect(third?.images).toEqual([image(1), image(3), image(2)]);
    expect(third?.images[1]).toBe(second?.images[0]);
    expect(third?.images[2]).toBe(second?.images[1]);
    for (const each of [first, second, third]) for (const one of each?.images ?? []) expectFrozen(one);
  });

  it('learns from objects whose metadata has other fields than that of those before', () => {
    const ofSet = Array.from({ length: 20 }, (_, at) => pod(`web-${at}`, { metadata: { generateName: 'web-' }, phase: `phase ${at}` }));
    const items: Pod[] = [];
    const parsed = parsedBy(() => items.push(...list([pod('alone', { image: 'else:v3' }), ...ofSet], {})));
    const [, first, ...others] = items as [Pod, Pod, ...Pod[]];
    for (const { spec } of others) expect(spec.containers).toBe(first.spec.containers);
    expect(parsed).toBeLessThan(JSON.stringify(ofSet).length / 3);
  });

  it('says of an object without a type what was sent, also when a list has filled it in for an equal one', () => {
    const owner = {};
    const text = `{"kind":null,"apiVersion":"v1","metadata":{"name":"a"},"note":${note},"spec":{"containers":[]}}`;
    expect(listOf(`{"items":[${text},${text}]}`, owner).map(({ kind }) => kind)).toEqual(['Pod', 'Pod']);
    const [event] = watch([['MODIFIED', JSON.parse(text) as object]], owner);
    expect(event?.kind).toBeNull();
    expect(listOf(`{"items":[${text}]}`, owner)[0]?.kind).toBe('Pod');
  });

  it('gives items without a type the order of fields of a list, whatever order those of a watch have', () => {
    const owner = {};
    const rest = `"metadata":{"name":"a"},"note":${note},"spec":{"containers":[]}}`;
    const decoder = new WatchDecoder<Pod>(shape, owner);
    const events: Pod[] = [];
    for (const type of ['ADDED', 'MODIFIED']) {
      decoder.push(utf8.encode(`{"type":"${type}","object":{"apiVersion":"v1","kind":"Pod",${rest}}\n`), (part) =>
        events.push(...part.map((event) => event.object as Pod)),
      );
    }
    expect(events[1]?.spec).toBe(events[0]?.spec);
    const items = listOf(`{"items":[{${rest},{${rest}]}`, owner);
    expect(events.map((event) => Object.keys(event).slice(0, 2))).toEqual([['apiVersion', 'kind'], ['apiVersion', 'kind']]); // prettier-ignore
    expect(items.map((item) => Object.keys(item).slice(0, 2))).toEqual([['kind', 'apiVersion'], ['kind', 'apiVersion']]); // prettier-ignore
  });

  it('finds a value where it stands, also behind managedFields that were cut out of it', () => {
    // Fields whose keys are numbers are not told from one another; as far behind the begin of the metadata as managedFields are long stands a 1.
    const item = (z: string): string =>
      `{"kind":"Pod","apiVersion":"v1","metadata":{"a":{"bbbbbbbbbb":1},"1":1,"managedFields":[],"z":"${z}"},"note":${note}}`;
    const found = listOf(`{"items":[${item('first')},${item('second')}]}`, {});
    expect(found.map(({ metadata }) => metadata)).toEqual(['first', 'second'].map((z) => ({ 1: 1, a: { bbbbbbbbbb: 1 }, z })));
  });
});

describe('ObjectReader, of objects with a key twice', () => {
  it.each([
    ['{"a":1,"a":2}', '{"a":3,"a":2}'],
    ['{"a":1,"b":"x","a":2}', '{"a":1,"b":"y","a":2}'],
    ['{"a":{"c":1},"b":2,"a":{"d":1}}', '{"a":{"c":2},"b":2,"a":{"d":1}}'],
    ['[{"a":1,"b":1,"a":"x"},{"c":1}]', '[{"a":1,"b":1,"a":"x"},{"c":2}]'],
  ])('has the last value of the key, whatever differs: %s, %s', (before, after) => {
    const owner = {};
    const line = (value: string): string => `{"metadata":{"name":"a"},"note":${note},"n":${value}}`;
    const decoder = new WatchDecoder<Pod>(shape, owner);
    const found: unknown[] = [];
    const versions = [before, before, after, before];
    for (const value of versions) {
      const object = line(value).replace('{', '{"kind":"Pod","apiVersion":"v1",');
      decoder.push(utf8.encode(`{"type":"MODIFIED","object":${object}}\n`), (part) => found.push(...part.map((event) => event.object)));
    }
    found.push(...listOf(`{"items":[${versions.map(line).join(',')}]}`, owner));
    expect(found.map((each) => (each as { n: unknown }).n)).toEqual(
      [...versions, ...versions].map((value) => JSON.parse(value) as unknown),
    );
  });
});

describe('ObjectReader, of objects that are not alike', () => {
  const unlike = (count: number): object[] =>
    Array.from({ length: count }, (_, at) => {
      const data = Object.fromEntries(
        Array.from({ length: 160 }, (__, key) => [`key ${(at * 7 + key * 13) % 1009}`, `${at} ${'y'.repeat(10 + ((at * key) % 41))}`]),
      );
      return { metadata: { name: `map${at}`, uid: `uid of ${at}`, managedFields }, data };
    });

  it('compares them again when they have become alike', () => {
    const alike = Array.from({ length: 400 }, (_, at) => pod(`web-${at}`));
    const chunks = [...unlike(200), ...alike].map((item) => JSON.stringify(item));
    const items: Pod[] = [];
    const decoder = new ListDecoder<Pod>({ ...shape, resource: 'pods' }, {});
    const push = (text: string) => decoder.push(utf8.encode(text), (chunk) => items.push(...chunk.items));
    push('{"items":[{}');
    for (let at = 0; at < chunks.length; at += 4) push(`,${chunks.slice(at, at + 4).join(',')}`);
    push(']}');
    expect(items).toHaveLength(601);
    expect(items.at(-1)?.spec.containers).toBe(items.at(-2)?.spec.containers);
  });

  it('compares them with their own versions as soon as one that is looked at has kept its form', () => {
    const maps = unlike(63) as { metadata: object }[];
    const managed = Array.from({ length: 10 }, () => managedFields[0]);
    const versions = (version: number) =>
      maps.map(
        ({ metadata, ...rest }) =>
          ['MODIFIED', { metadata: { ...metadata, resourceVersion: `${version}`, managedFields: managed }, ...rest }] as const,
      );
    const owner = {};
    // Nothing is like anything before: after 24, one of 32 is looked at.
    watch(versions(0), owner);
    // The first one of those that has kept its form was passed over before.
    watch(versions(1), owner);
    const length = maps.reduce((sum, { metadata: _, ...rest }) => sum + JSON.stringify(rest).length, 0);
    expect(parsedBy(() => watch(versions(2), owner))).toBeLessThan(length / 10);
  });
});

describe('ObjectReader, of what is no JSON', () => {
  it.each(['"abc"x"', '[1]x', '"abc"1', '{}2', '12"', '1[2]', 'null0', '""null', '"a" 1', '-"a"', '1"a",', '[}x'])(
    'refuses %s where a number was',
    (text) => {
      const event = (value: string) =>
        utf8.encode(`{"type":"MODIFIED","object":{"metadata":{"name":"a"},"note":${note},"n":{"a":${value},"b":2}}}\n`);
      for (const before of ['1', '12', 'null', '123456']) {
        const decoder = new WatchDecoder<Pod>(shape, {});
        const events: unknown[] = [];
        decoder.push(event(before), (each) => events.push(each));
        expect(() => decoder.push(event(text), (each) => events.push(each))).toThrow('malformed');
        expect(events).toHaveLength(1);
      }
    },
  );
});

describe('ObjectReader, of what is not to be parsed', () => {
  it('cuts managedFields out before', () => {
    const huge = Array.from({ length: 1000 }, (_, at) => ({
      manager: `manager ${at}`,
      fieldsV1: { 'f:spec': { [`f:${'x'.repeat(1000)}`]: {} } },
    }));
    const items = ['web-1', 'web-2', 'db-1'].map((name) => pod(name, { image: name }));
    const text = JSON.stringify({ items: items.map((item) => ({ ...item, metadata: { ...item.metadata, managedFields: huge } })) });
    expect(text.length).toBeGreaterThan(3_000_000);
    for (const sharedBy of [undefined, {}]) {
      const found: Pod[] = [];
      expect(parsedBy(() => found.push(...listOf(text, sharedBy)))).toBeLessThan(2000 + 2 * items.length * note.length);
      expect(found).toMatchObject(items.map(({ metadata: { name }, spec, status }) => ({ metadata: { name }, spec, status })));
      expect(found.some(({ metadata }) => 'managedFields' in metadata)).toBe(false);
    }
  });

  it('parses 31 of 32 objects of a watch whole where managedFields are next to nothing', () => {
    const long = [{ ...managedFields[0], manager: 'x'.repeat(400) }];
    const line = (at: number, managed: readonly object[]): Uint8Array => {
      const object = { kind: 'Pod', apiVersion: 'v1', metadata: { name: `web-${at}`, managedFields: managed }, note: 'x'.repeat(600) };
      return utf8.encode(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
    };
    const decoder = new WatchDecoder<Pod>(shape, {});
    const objects: Pod[] = [];
    /** The number of lines of a hundred that are parsed including their managedFields. */
    const whole = (at: number, managed: readonly object[]): number => {
      const parse = jest.spyOn(JSON, 'parse');
      for (let each = 0; each < 100; each += 1)
        decoder.push(line(at + each, managed), (part) => part.forEach((event) => objects.push(event.object as Pod)));
      const texts = parse.mock.calls.map(([text]) => text);
      parse.mockRestore();
      return texts.filter((text) => text.includes('managedFields')).length;
    };
    expect([whole(3_000, long), whole(4_000, []), whole(5_000, long)]).toEqual([0, 96, 28]);
    expect(objects.map(({ metadata }) => Object.keys(metadata))).toEqual(objects.map(() => ['name']));
  });

  it('leaves managedFields that are wanted', () => {
    const found = listOf(JSON.stringify({ items: [pod('web-1'), pod('web-2')] }), {}, { managedFields: 'keep' });
    expect(found.map(({ metadata }) => metadata['managedFields'])).toEqual([managedFields, managedFields]);
    expect(found[1]?.metadata['managedFields']).toBe(found[0]?.metadata['managedFields']);
  });

  it('compares no objects that are mostly text, and soon scans few of them', () => {
    const owner = {};
    const text = (name: string, version: number): object => ({
      metadata: { name, resourceVersion: `${version}` },
      data: { a: 'x'.repeat(6_000) },
    });
    const events = (version: number) => Array.from({ length: 24 }, (_, at) => ['MODIFIED', text(`text-${at}`, version)] as const);
    const scan = jest.spyOn(VectorScan.prototype, 'end');
    const compare = jest.spyOn(VectorScan.prototype, 'compare');
    const [first, second] = [watch(events(1), owner), watch(events(2), owner)];
    expect(second).toMatchObject(events(2).map(([, object]) => object));
    expect([...first, ...second].some((object) => Object.isFrozen(object))).toBe(false);
    expect(compare).not.toHaveBeenCalled();
    // All objects until the score is at 0, and then one of 32.
    expect(scan.mock.calls.length).toBeLessThan(27);
  });

  it('compares no objects that are too long for templates, however many keep their forms, and leaves their large fields unread', () => {
    const owner = {};
    const rows = Array.from({ length: 17_500 }, () => 'x');
    const events = (version: number) =>
      Array.from({ length: 24 }, (_, at) => ['MODIFIED', { metadata: { name: `long-${at}`, version }, spec: { rows } }] as const);
    const compare = jest.spyOn(VectorScan.prototype, 'compare');
    [1, 2, 3, 4].forEach((version) => watch(events(version), owner));
    expect(compare).not.toHaveBeenCalled();
    expect(parsedBy(() => watch(events(5), owner))).toBeLessThan(24 * 200);
  });

  it('parses of a version no more than has changed', () => {
    const owner = {};
    const versions = (...phases: string[]) => phases.map((phase) => ['MODIFIED', pod('web-1', { phase })] as const);
    watch(versions('Pending', 'Pending'), owner);
    expect(parsedBy(() => watch(versions('Running', 'Running', 'Running'), owner))).toBe('["Running"]'.length);
  });
});

describe('ObjectReader, without an owner', () => {
  it('shares and freezes nothing', () => {
    const pods = [pod('web-1'), pod('web-1'), pod('web-2')];
    const objects = [...list(pods), ...watch(pods.flatMap((each) => [['ADDED', each], ['MODIFIED', each]] as const))]; // prettier-ignore
    const parts = objects.flatMap((each) => [each, each.metadata, each.spec, each.spec.containers, each.status]);
    expect(new Set(parts).size).toBe(objects.length * 5);
    expect(parts.some((part) => Object.isFrozen(part))).toBe(false);
  });
});
