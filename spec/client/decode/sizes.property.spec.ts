import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { runs } from '../../tier.js';

type Choose = (many: number) => number;
interface ConfigMap {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly marks: readonly object[];
  readonly data: Readonly<Record<string, string>>;
}

const utf8 = new TextEncoder();
const shape = { apiVersion: 'v1', kind: 'ConfigMap', managedFields: 'drop', metadataOnly: false } as const;

/** What a socket hands over at once. */
const chunkBytes = 65_536;
/** Where numbers of 14, 15, 16 and 17 bits end, where the vector module's window does, and where objects begin to be compared. */
const edges = [65_536, 65_536, 2_500, 16_384, 32_768, 131_072];
const largest = 3_000_000;

/** A size in bytes: mostly near an edge, now and then anything up to the largest. */
function sizeFrom(choose: Choose): number {
  const way = choose(40);
  if (way === 0) return 1 + choose(largest);
  if (way < 8) return 1 + choose(10_000);
  return Math.max(1, (edges[choose(edges.length)] ?? chunkBytes) - 200 + choose(260));
}

/** A text of this length. Texts of similar length share most of their content. */
const filler = (length: number, letter: string): string => letter.repeat(Math.max(0, length));

/** One of the objects. */
function configMap(name: string, version: number, data: Readonly<Record<string, string>>, marks: readonly object[]): ConfigMap {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, resourceVersion: String(version) }, marks, data };
}

/** As many brackets as an object of this size has that is not mostly text. Those that are mostly text are not compared. */
function marksOf(size: number): readonly object[] {
  return Array.from({ length: Math.ceil(size / 20) + 10 }, () => ({}));
}

/** Where the last value of such an object begins. */
function beginningOfLast(data: Readonly<Record<string, string>>, marks: readonly object[]): number {
  return JSON.stringify(configMap('t-a', 1_000, data, marks)).lastIndexOf('":"') + 2;
}

/** Objects that grow and shrink, so that their end or the beginning of one of their values is sometimes near an edge. */
class Tenants {
  private readonly choose: Choose;
  private readonly fields = new Map<string, Record<string, string>>();
  /** Most sizes are near to this one. */
  private readonly edge: number;
  private readonly isNear: boolean;
  /** In one of four runs, all objects are mostly text. */
  private readonly marks: readonly object[];
  private version = 1_000;

  constructor(choose: Choose) {
    this.choose = choose;
    this.edge = edges[choose(edges.length)] ?? chunkBytes;
    this.isNear = choose(2) === 0;
    this.marks = choose(4) === 0 ? [] : marksOf(Math.min(this.edge, 65_536));
  }

  next(): ConfigMap {
    const { choose } = this;
    const name = `t-${'abc'[choose(3)] ?? 'a'}`;
    const before = this.fields.get(name) ?? this.fields.get('t-a');
    const data = this.isNear ? this.nearEdge(before) : before === undefined || choose(6) === 0 ? this.fresh() : this.changed(before);
    this.fields.set(name, data);
    this.version += 1;
    return configMap(name, this.version, data, this.marks);
  }

  private fresh(): Record<string, string> {
    const size = sizeFrom(this.choose);
    const parts = 1 + this.choose(this.choose(2) === 0 ? 1 : 6);
    const data: Record<string, string> = {};
    for (let part = 0; part < parts; part += 1) data[`f${part}`] = filler(Math.floor(size / parts), 'abc'[part % 3] ?? 'a');
    return { ...data, v: 'v', w: 'w', z: 'zz' };
  }

  /** A long value and short ones behind it, the last of which begins just before the edge, or goes on as before, or comes to stand behind the edge. */
  private nearEdge(before?: Readonly<Record<string, string>>): Record<string, string> {
    const { choose } = this;
    const way = choose(12);
    if (before === undefined || way < 2)
      return { f0: filler(this.edge - 160 - 3 * this.marks.length + choose(50), 'abc'[choose(3)] ?? 'a'), v: 'v', z: 'zzzzzzzz' };
    if (way < 6) return { ...before };
    if (way < 11) {
      // In half of the cases exactly there.
      const missing = this.edge - beginningOfLast({ ...before, v: '' }, this.marks) + (choose(2) === 0 ? 0 : choose(8) - 4);
      return { ...before, v: filler(missing >= 0 && missing <= 100 ? missing : choose(64), 'v') };
    }
    // What belongs together is not compared any more if that is in vain too often.
    return { f0: filler(2_500 + choose(400), 's'), v: filler(choose(4), 'x'), z: 'zz' };
  }

  /** Some values become longer or shorter. */
  private changed(before: Readonly<Record<string, string>>): Record<string, string> {
    const data = { ...before };
    for (let edits = this.choose(4); edits > 0; edits -= 1) this.edit(data);
    return data;
  }

  private edit(data: Record<string, string>): void {
    const { choose } = this;
    const keys = Object.keys(data);
    const at = choose(keys.length);
    const key = keys[at] ?? 'v';
    const length = data[key]?.length ?? 0;
    const letter = choose(3) === 0 ? 'x' : (data[key]?.[0] ?? 'y');
    const behind = keys
      .slice(0, at + 1 + choose(keys.length - at))
      .reduce((sum, each) => sum + each.length + (data[each]?.length ?? 0) + 6, 100 + 3 * this.marks.length);
    // Less than a third of an object may differ from its template, so long values keep their letters or become short.
    const lengths = [choose(70), choose(70), 2_400 + choose(400), length + nearest(behind) - 48 + choose(96) - behind, sizeFrom(choose)];
    data[key] = filler(Math.min(largest, lengths[choose(lengths.length)] ?? 0), letter);
  }
}

function nearest(size: number): number {
  return edges.reduce((best, edge) => (Math.abs(edge - size) < Math.abs(best - size) ? edge : best));
}

/** Hands over the bytes in chunks of that size, the first of which may be shorter. */
function chunksOf(bytes: Uint8Array, first: number, size: number): Uint8Array[] {
  const chunks = [bytes.slice(0, first)];
  for (let at = first; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
  return chunks;
}

describe('decoders', () => {
  it('make of objects of 1 byte to 3 MB what JSON.parse makes of them, versions near 2^16 bytes and chunks of any size included', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.infiniteStream(fc.nat(100_000_000)), (steps, chance) => {
        const choose: Choose = (many) => (chance.next().value as number) % many;
        const tenants = new Tenants(choose);
        const owner = {};
        const watch = new WatchDecoder<ConfigMap>(shape, owner);
        const kept: { readonly found: ConfigMap; readonly text: string }[] = [];
        const size = [chunkBytes, chunkBytes - 1, 16_384, 1_000 + choose(200_000)][choose(4)] ?? chunkBytes;
        const list = (many: number): void => {
          const items = Array.from({ length: many }, () => tenants.next());
          // Built-in kinds are listed without their types.
          const isTyped = choose(2) === 0;
          const sent = isTyped ? items : items.map(({ metadata, marks, data }) => ({ metadata, marks, data }));
          const body = JSON.stringify({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: sent });
          const decoder = new ListDecoder<ConfigMap>({ ...shape, resource: 'configmaps' }, owner);
          let next = 0;
          const emit = (chunk: { readonly items: readonly ConfigMap[] }): void => {
            for (const found of chunk.items) kept.push({ found, text: JSON.stringify(items[next++]) });
          };
          for (const chunk of chunksOf(utf8.encode(body), choose(size), size)) decoder.push(chunk, emit);
          decoder.end();
          expect(next).toBe(items.length);
        };
        const event = (): void => {
          const text = JSON.stringify(tenants.next());
          const type = choose(3) === 0 ? 'ADDED' : 'MODIFIED';
          const line = utf8.encode(`{"type":"${type}","object":${text}}\n`);
          for (const chunk of chunksOf(line, choose(line.length), size)) {
            watch.push(chunk, ([event]) => kept.push({ found: event?.object as ConfigMap, text }));
          }
        };
        for (let step = 0; step < steps; step += 1) {
          if (choose(10) === 0) list(1 + choose(4));
          else event();
          const last = kept.at(-1);
          // Not compared by Jest, which would show megabytes.
          expect(last === undefined || JSON.stringify(last.found) === last.text).toBe(true);
        }
        // Neither earlier nor later data changes an object.
        for (const { found, text } of kept) expect(JSON.stringify(found) === text).toBe(true);
      }),
      { numRuns: runs(50), endOnFailure: true },
    );
  });

  it('read a version right that follows one whose last value begins 2^16 bytes behind its beginning', () => {
    const marks = marksOf(65_536);
    /** With that many bytes before its last value, so that a later version's can begin one byte too far for 16 bits. */
    const long = (name: string, version: number, letter: string, v: string): string => {
      const filled = filler(65_500 - beginningOfLast({ b: '', v: 'v', z: '' }, marks), letter);
      return JSON.stringify(configMap(name, version, { b: filled, v, z: 'zzzzzzzz' }, marks));
    };
    const watch = new WatchDecoder<ConfigMap>(shape, {});
    const versions = [
      long('t-a', 1_001, 'a', 'v'),
      long('t-b', 1_002, 'b', 'v'),
      long('t-a', 1_003, 'a', 'v'),
      long('t-b', 1_004, 'c', 'v'),
      long('t-b', 1_005, 'c', 'v'),
      long('t-b', 1_006, 'c', filler(37, 'v')),
      JSON.stringify(configMap('t-b', 1_007, { b: filler(2_600, 's'), v: 'x', z: 'zz' }, marks)),
    ];
    const found: string[] = [];
    for (const [at, text] of versions.entries()) {
      watch.push(utf8.encode(`{"type":"${at < 2 ? 'ADDED' : 'MODIFIED'}","object":${text}}\n`), ([event]) =>
        found.push(JSON.stringify(event?.object)),
      );
    }
    expect(found.map((text) => text.slice(-40))).toEqual(versions.map((text) => text.slice(-40)));
    expect(found).toEqual(versions);
  });
});
