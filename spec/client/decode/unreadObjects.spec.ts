import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import type { ItemShape } from '../../../src/client/decode/objectShape.js';
import { UnreadObjects } from '../../../src/client/decode/unreadObjects.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { specChanged, statusChanged } from '../../../src/operators/filters/filterUpdates.js';

interface Slice {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: readonly { readonly address: string }[];
  readonly status: readonly { readonly address: string }[];
}

const shape: ItemShape = { kind: 'Slice', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false };
const utf8 = new TextEncoder();
const mixed = (seed: number): number => Math.imul(seed ^ (seed >>> 5), 0x9e3779b1) >>> 20;
const texts = new Map<number, string>();

/** The JSON of a field, of another structure for each seed. */
function part(seed: number): string {
  const known = texts.get(seed);
  if (known !== undefined) return known;
  const elements = Array.from({ length: 30 + (mixed(seed) % 61) }, (_, at) => {
    const more = Array.from({ length: mixed(seed * 31 + at) % 9 }, (__, key) => `,"k${key}":${key}`);
    return `{"address":"10.0.${seed}.${at}","ready":true${more.join('')}}`;
  });
  const text = `[${elements.join(',')}]`;
  texts.set(seed, text);
  return text;
}

/** The JSON of a version. Each has another structure, so that no template fits. */
function slice(
  name: string,
  version: number,
  { spec = version, status = 9_973 * version, namespace = 'default' }: { spec?: number; status?: number; namespace?: string } = {},
): string {
  const metadata = `{"name":"${name}","namespace":"${namespace}","resourceVersion":"${version}"}`;
  return `{"kind":"Slice","apiVersion":"v1","metadata":${metadata},"spec":${part(spec)},"status":${part(status)}}`;
}

const line = (object: string): Uint8Array => utf8.encode(`{"type":"MODIFIED","object":${object}}\n`);

/** A watch of one informer's. */
class Watch {
  readonly owner: object = {};
  private readonly decoder;

  constructor(over: Partial<ItemShape> = {}) {
    this.decoder = new WatchDecoder<Slice>({ ...shape, ...over }, this.owner);
  }

  take(bytes: Uint8Array): Slice {
    const objects: Slice[] = [];
    this.decoder.push(bytes, (events) => objects.push(...events.map(({ object }) => object as Slice)));
    return objects[0] as Slice;
  }

  /** The objects of `many` events, of which `read` is called with each. */
  takeMany(many: number, read: (object: Slice) => void = () => undefined): Slice[] {
    return Array.from({ length: many }, (_, at) => {
      const object = this.take(line(slice(`s${at % 40}`, at)));
      read(object);
      return object;
    });
  }

  list(items: readonly string[]): Slice[] {
    const found: Slice[] = [];
    const decoder = new ListDecoder<Slice>({ ...shape, resource: 'slices' }, this.owner);
    decoder.push(utf8.encode(`{"items":[${items.join(',')}]}`), (chunk) => found.push(...chunk.items));
    return found;
  }
}

const isUnread = (object: object): boolean => Object.getOwnPropertyDescriptor(object, 'spec')?.get !== undefined;
const countOf = (objects: readonly object[]): number => objects.filter(isUnread).length;

/** How many characters are parsed meanwhile. */
function parsedBy(run: () => void): number {
  const parse = jest.spyOn(JSON, 'parse');
  run();
  return parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
}

/** A watch whose objects nobody has read. */
function unreadWatch(): Watch {
  const watch = new Watch();
  watch.takeMany(400);
  return watch;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('large objects without a template', () => {
  it('are left unread but for their metadata, once samples have shown that nobody reads them', () => {
    const objects = new Watch().takeMany(600);
    expect(countOf(objects.slice(0, 30))).toBeLessThan(3);
    // One in 32 is compared with a template, and parsed.
    expect(countOf(objects.slice(-200))).toBeGreaterThan(190);
  });

  it('are parsed on arrival where they are read: at most one in 16 is a sample', () => {
    const objects = new Watch().takeMany(1_000, ({ spec, status }) => expect(spec.length + status.length).toBeGreaterThan(0));
    expect(countOf(objects)).toBeLessThan(25);
  });

  it('are parsed on arrival again as soon as somebody begins to read them', () => {
    const objects = unreadWatch().takeMany(400, ({ spec }) => expect(spec.length).toBeGreaterThan(0));
    expect(countOf(objects)).toBeLessThan(80);
    expect(countOf(objects.slice(-200))).toBeLessThan(10);
  });

  it('of a list are left unread only if those of the watch were', () => {
    const items = Array.from({ length: 60 }, (_, at) => slice(`s${at}`, 1_000 + at));
    expect(countOf(new Watch().list(items))).toBe(0);
    expect(countOf(unreadWatch().list(items))).toBeGreaterThan(50);
  });

  it('cost no parsing of what is left unread', () => {
    const watch = unreadWatch();
    const bytes = Array.from({ length: 64 }, (_, at) => line(slice('s', 1_000 + at)));
    const whole = bytes.reduce((sum, { length }) => sum + length, 0);
    expect(parsedBy(() => bytes.forEach((each) => watch.take(each)))).toBeLessThan(whole / 8);
  });

  it('have one and the same field in both versions where its bytes are the same, so that nothing is parsed to see that', () => {
    const watch = unreadWatch();
    // One in 32 may be parsed for a comparison with a template.
    const pairs = [1, 2].map((at): [Slice, Slice] => [
      watch.take(line(slice(`p${at}`, 1, { spec: 7 }))),
      watch.take(line(slice(`p${at}`, 2, { spec: 7 }))),
    ]);
    const [before, after] = pairs.find((pair) => pair.every(isUnread)) as [Slice, Slice];
    expect(parsedBy(() => expect(specChanged(before, after)).toBe(false))).toBe(0);
    expect(statusChanged(before, after)).toBe(true);
    expect(after.spec).toBe(before.spec);
  });

  it('share fields with their own versions, whatever objects of the same name other namespaces have', () => {
    const watch = unreadWatch();
    const taken = [1, 2, 3, 4].flatMap((version) =>
      ['a', 'b'].map((namespace, at) => watch.take(line(slice('same', version, { namespace, spec: 20 + at })))),
    );
    // One in 32 may be parsed for a comparison with a template.
    const unreadOf = (at: number): Slice[] => taken.filter((object, place) => place % 2 === at && isUnread(object));
    for (const versions of [unreadOf(0), unreadOf(1)]) {
      expect(versions.length).toBeGreaterThan(2);
      expect(new Set(versions.map(({ spec }) => spec)).size).toBe(1);
    }
  });

  it('that are malformed are an error on arrival, not when they are read', () => {
    const watch = unreadWatch();
    const text = `{"type":"MODIFIED","object":${slice('s', 1)}}`;
    for (const broken of [text.replace('true', 'treu'), text.replace('true},', 'true}},{'), text.replace('10.0', '10\u00010')]) {
      for (let times = 0; times < 3; times += 1) expect(() => watch.take(utf8.encode(`${broken}\n`))).toThrow('malformed');
    }
    const invalid = utf8.encode(`${text}\n`);
    invalid[text.indexOf('10.0')] = 0xff;
    expect(() => watch.take(invalid)).toThrow('UTF-8');
  });

  it('are read whole where only metadata is kept, and without an owner', () => {
    const shaped = new Watch({ metadataOnly: true });
    expect(Object.keys(shaped.takeMany(400).at(-1) as object)).toEqual(['kind', 'apiVersion', 'metadata']);
    const decoder = new WatchDecoder<Slice>(shape);
    const objects: object[] = [];
    for (let at = 0; at < 400; at += 1) decoder.push(line(slice('s', at)), (events) => objects.push(...events.map(({ object }) => object)));
    expect(countOf(objects)).toBe(0);
  });

  it('can be read in any version, however many have come since', () => {
    const watch = unreadWatch();
    const sent = (at: number): string => slice(`s${at % 50}`, at, { spec: at % 251, status: at % 241 });
    const held = Array.from({ length: 10_000 }, (_, at) => watch.take(line(sent(at))));
    expect(countOf(held)).toBeGreaterThan(9_500);
    for (let at = 0; at < held.length; at += 97) expect(held[at]).toEqual(JSON.parse(sent(at)));
  });
});

describe('UnreadObjects', () => {
  const none = new Map<string, string>();
  const one = new Map([['spec', '{}']]);

  /** How many of the next `many` events are left unread. */
  const chosen = (objects: UnreadObjects, many: number): number =>
    Array.from({ length: many }, () => objects.isOfUse(false)).filter(Boolean).length;

  it('takes one event in 16 as a sample, and all objects when four fields were left unread', () => {
    const objects = new UnreadObjects();
    expect(Array.from({ length: 32 }, () => objects.isOfUse(false)).flatMap((is, at) => (is ? [at] : []))).toEqual([15, 31]);
    for (let at = 0; at < 3; at += 1) objects.fieldsOf(String(at), one, false);
    expect([chosen(objects, 16), objects.isOfUse(true)]).toEqual([1, false]);
    objects.fieldsOf(String(3), one, false);
    expect([chosen(objects, 16), objects.isOfUse(true)]).toEqual([16, true]);
  });

  it('takes one event in 64 where fields are read, or where there are none', () => {
    for (const lower of [
      (objects: UnreadObjects): unknown => objects.fieldsOf(String(1), one, false).get('spec')?.read(),
      (objects: UnreadObjects): unknown => {
        objects.pass();
        return objects.fieldsOf(String(1), none, false);
      },
    ]) {
      const objects = new UnreadObjects();
      lower(objects);
      expect(chosen(objects, 128)).toBe(2);
    }
  });

  it('counts no fields of lists, which nobody can have read yet', () => {
    const objects = new UnreadObjects();
    for (let at = 0; at < 20; at += 1) objects.fieldsOf(String(at), one, true);
    expect(objects.isOfUse(true)).toBe(false);
  });

  it('keeps a score that a few objects can change', () => {
    const objects = new UnreadObjects();
    for (let at = 0; at < 1_000; at += 1) objects.fieldsOf(String(at), one, false);
    const fields = Array.from({ length: 16 }, (_, at) => objects.fieldsOf(String(2_000 + at), one, false).get('spec'));
    fields.forEach((field) => field?.read());
    expect(objects.isOfUse(true)).toBe(false);
    for (let at = 0; at < 1_000; at += 1) objects.pass();
    for (let at = 0; at < 20; at += 1) objects.fieldsOf(String(at), one, false);
    expect(objects.isOfUse(true)).toBe(true);
  });

  it('remembers the fields of 16,384 objects, and forgets the one that was longest without a version', () => {
    const objects = new UnreadObjects();
    const held = Array.from({ length: 16_384 }, (_, name) => objects.fieldsOf(String(name), one, false));
    const isKept = (name: number): boolean => objects.fieldsOf(String(name), one, false).get('spec') === held[name]?.get('spec');
    expect(isKept(0)).toBe(true);
    objects.fieldsOf(String(99_999), one, false);
    expect([isKept(0), isKept(16_383), isKept(2), isKept(1)]).toEqual([true, true, true, false]);
    objects.forget('5');
    expect(isKept(5)).toBe(false);
  });

  it('does not look for that one while it remembers fewer: an iterator walks over all that had versions since', () => {
    const objects = new UnreadObjects();
    const looks = jest.spyOn(Map.prototype, 'keys');
    for (let at = 0; at < 100; at += 1) objects.fieldsOf(String(at % 10), one, false);
    const { length } = looks.mock.calls;
    looks.mockRestore();
    expect(length).toBe(0);
  });
});
