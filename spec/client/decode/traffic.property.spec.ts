import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kinds } from '../../../bench/traffic/kinds.js';
import type { Json, TrafficSource } from '../../../bench/traffic/traffic.js';
import { shareUnchanged } from '../../../src/cache/store/shareUnchanged.js';
import { listDecoder } from '../../../src/client/decode/listDecoder.js';
import { watchDecoder } from '../../../src/client/decode/watchDecoder.js';

interface Named {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

const utf8 = new TextEncoder();
const keyOf = (object: unknown): string => {
  const { namespace = '', name } = (object as Named).metadata;
  return `${namespace}/${name}`;
};

/** The same value, with the keys of all its objects in another order. */
function reordered(value: unknown, by: number): unknown {
  if (typeof value !== 'object' || value === null || by === 0) return value;
  if (Array.isArray(value)) return value.map((each) => reordered(each, by));
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, reordered(each, by)]);
  const first = by % entries.length || 0;
  return Object.fromEntries([...entries.slice(first), ...entries.slice(0, first)]);
}

/** What the plain parser makes of it, without managedFields. */
function plain(text: string): Json {
  const object = JSON.parse(text) as Json & { metadata: Json };
  delete object.metadata['managedFields'];
  return object;
}

/** Whether all that two objects have in common is frozen. */
function isSafe(objects: Iterable<unknown>): boolean {
  const seen = new Set<unknown>();
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return true;
    if (seen.has(part)) return Object.isFrozen(part);
    seen.add(part);
    return Object.values(part).every(visit);
  };
  return [...objects].every(visit);
}

/** Events as a server sends them, some with their keys in another order, some of them versions that stood before. */
class Server {
  private readonly before: { readonly type: string; readonly object: Json }[] = [];
  private resourceVersion = 1_000_000;

  constructor(
    private readonly source: TrafficSource,
    private readonly type: { readonly kind: string; readonly apiVersion: string },
  ) {}

  next(step: number): { readonly type: string; readonly text: string } {
    const order = [0, 0, 0, 1, 1, 2][step % 6] ?? 0;
    const isAgain = step % 5 === 0 && this.before.length > 0;
    const event = isAgain ? (this.before[(step >> 3) % this.before.length] as (typeof this.before)[number]) : this.made();
    const type = isAgain && event.type === 'ADDED' ? 'MODIFIED' : event.type;
    return { type, text: JSON.stringify(reordered(event.object, order)) };
  }

  private made(): { readonly type: string; readonly object: Json } {
    const { type, object } = this.source.next((this.resourceVersion += 1));
    // As through the wire: without fields that are undefined.
    const event = { type, object: JSON.parse(JSON.stringify({ ...this.type, ...object })) as Json };
    this.before.push(event);
    return event;
  }
}

describe.each(Object.keys(kinds).filter((name) => name !== 'secrets'))('ObjectReader, of %s', (name) => {
  const traffic = kinds[name] as (typeof kinds)[string];
  const { apiVersion, kind } = traffic;
  const shape = { apiVersion, kind, managedFields: 'drop', metadataOnly: false, resource: name } as const;

  it('makes of every event what the plain parser makes of it, while a cache shares, freezes and changes what it was given', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 100, maxLength: 300 }), fc.boolean(), (steps, shares) => {
        const source = traffic.source();
        const server = new Server(source, { apiVersion, kind });
        const owner = {};
        const cache = new Map<string, unknown>();
        const body = JSON.stringify({ kind: `${kind}List`, metadata: { resourceVersion: '1' }, items: source.objects.slice(0, 40) });
        const list = listDecoder<Json>(shape, owner);
        list.push(utf8.encode(body), ({ items }) => items.forEach((item) => cache.set(keyOf(item), item)));
        list.end(() => undefined);
        const watch = watchDecoder<Json>(shape, owner);
        for (const step of steps) {
          const { type, text } = server.next(step);
          let count = 0;
          watch.push(utf8.encode(`{"type":"${type}","object":${text}}\n`), (event) => {
            count += 1;
            expect(JSON.stringify(event.object)).toBe(JSON.stringify(plain(text)));
            const key = keyOf(event.object);
            if (type === 'DELETED') cache.delete(key);
            else cache.set(key, shares && cache.has(key) ? shareUnchanged(cache.get(key), event.object) : event.object);
            expect(cache.get(key) ?? 'gone').toEqual(type === 'DELETED' ? 'gone' : plain(text));
          });
          expect(count).toBe(1);
        }
        expect(isSafe(cache.values())).toBe(true);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
