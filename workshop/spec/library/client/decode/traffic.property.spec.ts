import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { kinds } from '../../../../bench/traffic/kinds.js';
import type { Json, Traffic, TrafficEvent } from '../../../../bench/traffic/traffic.js';
import { shareUnchanged } from '../../../../../src/cache/store/shareUnchanged.js';
import { ListDecoder } from '../../../../../src/client/decode/listDecoder.js';
import { WatchDecoder } from '../../../../../src/client/decode/watchDecoder.js';
import { isDeep, runs } from '../../../../../spec/tier.js';

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

/** The same object without its type, of which the list's items have none. */
function untyped({ kind: _, apiVersion: __, ...rest }: Json): Json {
  return rest;
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

/** Secrets are large. */
const runsOf = (name: string): number => (name === 'secrets' ? 0.2 : 3);
/** The shortest and the longest history. */
const [shortest, longest] = isDeep ? [100, 200] : [30, 60];

/** So many objects, of which each changes several times. */
const objects = 14;
const events = 120;

/** The list, and events as a server sends them. */
function recorded(traffic: Traffic): { readonly items: readonly Json[]; readonly sent: readonly TrafficEvent[] } {
  const { apiVersion, kind } = traffic;
  const source = traffic.source(objects);
  const sent = Array.from({ length: events }, (_, at) => {
    const { type, object } = source.next(1_000_000 + at);
    return { type, object: { kind, apiVersion, ...object } };
  });
  return { items: source.objects, sent };
}

/** One of the events, sometimes with its keys in another order. */
function textOf(sent: readonly TrafficEvent[], step: number, chance: number): { readonly type: string; readonly text: string } {
  // Mostly in their order; now and then a version that stood before.
  const { type, object } = sent[chance % 7 === 0 ? chance % sent.length : step % sent.length] as TrafficEvent;
  return { type, text: JSON.stringify(reordered(object, [0, 0, 0, 1, 1, 2][chance % 6] ?? 0)) };
}

describe.each(Object.keys(kinds))('ObjectReader, of %s', (name) => {
  const traffic = kinds[name] as (typeof kinds)[string];
  const { apiVersion, kind } = traffic;
  const shape = { apiVersion, kind, managedFields: 'drop', metadataOnly: false, resource: name } as const;

  const { items, sent } = recorded(traffic);

  it('makes of every event what the plain parser makes of it, while a cache shares what has not changed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: shortest, maxLength: longest }), fc.boolean(), (chances, shares) => {
        const owner = {};
        const cache = new Map<string, Json>();
        const list = new ListDecoder<Json>(shape, owner);
        const body = JSON.stringify({ kind: `${kind}List`, metadata: { resourceVersion: '1' }, items });
        const bytes = utf8.encode(body);
        const chunkBytes = 1_000 + 10 * (chances[0] ?? 0);
        for (let at = 0; at < bytes.length; at += chunkBytes)
          list.push(bytes.subarray(at, at + chunkBytes), (chunk) => chunk.items.forEach((item) => cache.set(keyOf(item), item)));
        expect(JSON.stringify([...cache.values()].map(untyped))).toBe(
          JSON.stringify(items.map((item) => untyped(plain(JSON.stringify(item))))),
        );
        list.end();
        const watch = new WatchDecoder<Json>(shape, owner);
        chances.forEach((chance, step) => {
          const { type, text } = textOf(sent, step, chance);
          const found: unknown[] = [];
          watch.push(utf8.encode(`{"type":"${type}","object":${text}}\n`), (part) => found.push(...part.map(({ object }) => object)));
          const expected = plain(text);
          expect(JSON.stringify(found)).toBe(JSON.stringify([expected]));
          const object = found[0] as Json;
          const key = keyOf(object);
          const known = cache.get(key);
          if (type === 'DELETED') cache.delete(key);
          else cache.set(key, shares && known !== undefined ? shareUnchanged(known, object) : object);
          expect(type === 'DELETED' || isDeepStrictEqual(cache.get(key), expected)).toBe(true);
        });
        expect(isSafe(cache.values())).toBe(true);
      }),
      { numRuns: runs(runsOf(name)), endOnFailure: true },
    );
  });
});
