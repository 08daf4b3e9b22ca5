import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { runs } from '../../tier.js';

type Json = Readonly<Record<string, unknown>>;
type Choose = (many: number) => number;

const utf8 = new TextEncoder();
const shape = {
  kind: 'Cluster',
  apiVersion: 'stores.example.com/v1',
  managedFields: 'drop',
  metadataOnly: false,
  resource: 'clusters',
} as const;
const managed = '[{"manager":"a","fieldsV1":{"f:spec":{"k:{\\"name\\":\\"}\\"}":{}}}}]';
const keys = [
  '"spec"',
  '"status"',
  '"data"',
  '"toString"',
  '"constructor"',
  '"__proto__"',
  '"7"',
  '"\\u0073pec"',
  '"é"',
  '"\\ufeffspec"',
  '"\ufeffspec"',
];
const strange = ['-0', '1.5', '1e400', '9007199254740993', '"é"', '"\\ud800"', ' 1', 'null', '"\\u0041"'];

/** The JSON of versions of a few objects, whose large fields are mostly plain. */
class Server {
  private readonly choose: Choose;
  private version = 0;

  constructor(choose: Choose) {
    this.choose = choose;
  }

  one<T>(list: readonly T[]): T {
    return list[this.choose(list.length)] as T;
  }

  private value(seed: number): string {
    const parts = Array.from({ length: 40 + (seed % 30) }, (_, at) => `{"name":"n${at}","is":[${seed},true,null,"a\\"b\\\\"],"o":{}}`);
    if (this.choose(12) === 0) parts.push(this.one(strange));
    return `[${parts.join(',')}]`;
  }

  /** An object with the name of an earlier one, of which some fields have changed. */
  next(): string {
    this.version += 1;
    const old = this.choose(3);
    const large = (key: string): string => `${key}:${this.value(this.choose(3) === 0 ? this.version : old)}`;
    const fields = [large('"spec"'), large('"status"')];
    if (this.choose(6) === 0) fields.push(large(this.one(keys)));
    if (this.choose(6) === 0) fields.push(`${this.one(keys)}:${this.one(['0', '1', '{}', '"a"', ...strange])}`);
    const metadata = [`"name":"n${this.choose(4)}"`, `"resourceVersion":"${this.version}"`];
    if (this.choose(3) > 0) metadata.splice(this.choose(3), 0, `"managedFields":${managed}`);
    fields.splice(this.choose(fields.length + 1), 0, `"metadata":{${metadata.join(',')}}`);
    if (this.choose(4) === 0) fields.reverse();
    const types = ['"kind":"Cluster"', '"apiVersion":"stores.example.com/v1"'];
    return `{${(this.choose(5) === 0 ? [...fields, ...types] : [...types, ...fields]).join(',')}}`;
  }
}

/** What `JSON.parse` gives, without managedFields. */
function plain(text: string): Json {
  const object = JSON.parse(text) as Json;
  const { managedFields: _, ...metadata } = object['metadata'] as Json;
  // Not a spread: it would take `__proto__` for the prototype.
  (object as Record<string, unknown>)['metadata'] = metadata;
  return object;
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b) && JSON.stringify(a) === JSON.stringify(b);

const touch = (object: Json | undefined): unknown => object?.['status'];

/** Whether the object has a field that was not parsed on arrival. */
const hasGetters = (object: object): boolean =>
  Object.keys(object).some((key) => Object.getOwnPropertyDescriptor(object, key)?.get !== undefined);

describe('objects whose large fields are left unread', () => {
  it('are what JSON.parse gives, however the bytes arrive, and whenever which field is read', () => {
    let unread = 0;
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const choose: Choose = (many) => Number(numbers.next().value) % many;
        const server = new Server(choose);
        const owner = {};
        const held: { object: Json; text: string }[] = [];
        const check = ({ object, text }: { object: Json; text: string }): void => {
          if (!isSame(object, plain(text))) throw new Error(`Expected ${text}, got ${JSON.stringify(object)}`);
        };
        const waiting: string[] = [];
        const take = (object: unknown): void => {
          held.push({ object: object as Json, text: waiting.shift() as string });
          if (hasGetters(object as object)) unread += 1;
        };
        for (let turn = 0; turn < 14; turn += 1) {
          const texts = Array.from({ length: 1 + choose(16) }, () => server.next());
          waiting.push(...texts);
          const isList = choose(4) === 0;
          const decoder = isList ? new ListDecoder<object>(shape, owner) : new WatchDecoder<object>(shape, owner);
          const emit = (part: unknown): void => {
            const objects = isList ? (part as { items: object[] }).items : (part as { object: object }[]).map(({ object }) => object);
            objects.forEach(take);
          };
          const types = ['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED'];
          const lines = texts.map((text) => `{"type":"${types[choose(types.length)] as string}","object":${text}}\n`);
          const bytes = utf8.encode(isList ? `{"items":[${texts.join(',')}]}` : lines.join(''));
          const step = [bytes.length, 65_536, 4_096, 1_000, 77][choose(5)] as number;
          for (let at = 0; at < bytes.length; at += step) decoder.push(bytes.slice(at, at + step), emit);
          decoder.end(emit);
          // Some are read now, some fields are, most are read when later versions have come.
          if (choose(6) === 0) held.slice(-choose(8)).forEach(check);
          if (choose(3) === 0) touch(held[choose(held.length)]?.object);
        }
        expect(waiting).toEqual([]);
        while (held.length > 0) check(held.splice(choose(held.length), 1)[0] as { object: Json; text: string });
      }),
      { numRuns: runs(25) },
    );
    expect(unread).toBeGreaterThan(runs(25));
  });
});
