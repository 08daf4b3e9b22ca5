import { describe, expect, it, jest } from '@jest/globals';
import { applyPatches, enablePatches, produce, produceWithPatches } from 'immer';
import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { isSameField, jsonOfUnread, UnreadField, withUnread } from '../../src/api/unreadFields.js';
import { isEqualJson } from '../../src/api/isEqualJson.js';

interface Thing {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas: number; readonly parts: readonly string[] };
  readonly status: { readonly phase: string };
}

const parsed: Thing = {
  kind: 'Thing',
  spec: { replicas: 3, parts: ['a', 'b'] },
  metadata: { name: 'web' },
  status: { phase: 'Running' },
};

function field(value: unknown, onRead: () => void = () => undefined): UnreadField {
  return new UnreadField(JSON.stringify(value), onRead);
}

/** The same object, with spec and status unread. */
function unread(onRead?: () => void): Thing {
  const fields = new Map([
    ['spec', field(parsed.spec, onRead)],
    ['status', field(parsed.status, onRead)],
  ]);
  return withUnread({ ...parsed, spec: 0, status: 0 }, fields) as unknown as Thing;
}

describe('an object with unread fields', () => {
  it('parses a field when it is read, once, and tells so', () => {
    const onRead = jest.fn();
    const thing = unread(onRead);
    expect(thing.metadata.name).toBe('web');
    expect(onRead).not.toHaveBeenCalled();
    expect(thing.spec).toEqual(parsed.spec);
    expect(thing.spec).toBe(thing.spec);
    expect(onRead).toHaveBeenCalledTimes(1);
  });

  it('is told from a parsed one by none of the ways in which objects are looked at', () => {
    expect(Object.keys(unread())).toEqual(Object.keys(parsed));
    expect(Object.entries(unread())).toEqual(Object.entries(parsed));
    expect({ ...unread() }).toStrictEqual(parsed);
    expect(Object.assign({}, unread())).toStrictEqual(parsed);
    expect(JSON.stringify(unread())).toBe(JSON.stringify(parsed));
    expect(structuredClone(unread())).toStrictEqual(parsed);
    expect(deserialize(serialize(unread()))).toStrictEqual(parsed);
    expect(inspect(unread(), { depth: 9 })).toBe(inspect(parsed, { depth: 9 }));
    expect(inspect({ in: [unread()] }, { depth: 9 })).toBe(inspect({ in: [parsed] }, { depth: 9 }));
    expect(Object.getPrototypeOf(unread())).toBe(Object.prototype);
    expect(Object.hasOwn(unread(), 'spec') && 'spec' in unread() && !('other' in unread())).toBe(true);
    const { spec, ...rest } = unread();
    expect([spec, rest]).toStrictEqual([parsed.spec, { kind: 'Thing', metadata: parsed.metadata, status: parsed.status }]);
    const keys: string[] = [];
    for (const key in unread()) keys.push(key);
    expect(keys).toEqual(Object.keys(parsed));
  });

  it('equals a parsed one, in both directions', () => {
    const other = { ...parsed, status: { phase: 'Failed' } };
    expect(unread()).toEqual(parsed);
    expect(parsed).toEqual(unread());
    expect(unread()).toStrictEqual(parsed);
    expect(parsed).toStrictEqual(unread());
    expect(unread()).not.toEqual(other);
    assert.deepStrictEqual(unread(), parsed);
    assert.deepStrictEqual(parsed, unread());
    expect(isDeepStrictEqual(unread(), other)).toBe(false);
    expect(isEqualJson(unread(), parsed) && isEqualJson(parsed, unread())).toBe(true);
    expect(isEqualJson(unread(), other)).toBe(false);
  });

  it('is edited with immer like a parsed one', () => {
    enablePatches();
    const edit = (draft: { spec: { replicas: number } }): void => {
      draft.spec.replicas = 4;
    };
    const edited = { ...parsed, spec: { ...parsed.spec, replicas: 4 } };
    expect(produce(unread(), edit)).toStrictEqual(edited);
    const [result, patches, inverse] = produceWithPatches(unread(), edit);
    expect([result, patches]).toStrictEqual([edited, [{ op: 'replace', path: ['spec', 'replicas'], value: 4 }]]);
    expect(applyPatches(result, inverse)).toStrictEqual(parsed);
    expect(produce(unread(), () => undefined).spec).toEqual(parsed.spec);
  });

  it('can be read through proxies, by inheritance, and from copied descriptors', () => {
    const proxy = new Proxy(unread(), {});
    expect(proxy.spec.replicas).toBe(3);
    expect({ ...proxy }).toStrictEqual(parsed);
    const heir = Object.create(unread()) as Thing;
    expect(heir.status.phase).toBe('Running');
    const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(unread())) as Thing;
    expect(copy.spec.parts).toEqual(['a', 'b']);
  });

  it('is frozen deeply, what is read later included', () => {
    const thing = unread() as { -readonly [K in keyof Thing]: Thing[K] };
    for (const part of [thing, thing.metadata, thing.spec, thing.spec.parts, thing.status]) expect(Object.isFrozen(part)).toBe(true);
    expect(() => {
      thing.spec = { replicas: 0, parts: [] };
    }).toThrow(TypeError);
    expect(() => {
      (thing.spec.parts as string[]).push('c');
    }).toThrow(TypeError);
  });

  it('is compared by its fields, without reading them', () => {
    const onRead = jest.fn();
    const [spec, status] = [field(parsed.spec, onRead), field(parsed.status, onRead)];
    const make = (fields: Readonly<Record<string, UnreadField>>): object =>
      withUnread({ spec: 0, status: 0 }, new Map(Object.entries(fields)));
    const [one, two] = [make({ spec, status }), make({ spec, status: field({ phase: 'Failed' }, onRead) })];
    expect(isSameField(one, two, 'spec')).toBe(true);
    expect(isSameField(one, two, 'status')).toBe(false);
    expect(isSameField(one, two, 'metadata')).toBe(false);
    expect(isSameField(one, { spec: parsed.spec }, 'spec')).toBe(false);
    // Immer copies so, if it is told to copy strictly: with the symbol, and with values in place of getters.
    const { spec: _, ...others } = Object.getOwnPropertyDescriptors(two);
    const copy = Object.defineProperties({}, { spec: { value: { replicas: 9 }, enumerable: true }, ...others });
    expect(isSameField(two, copy, 'spec')).toBe(false);
    expect(isSameField(one, Object.create(one) as object, 'spec')).toBe(false);
    expect(jsonOfUnread(copy)).toBe('{"spec":{"replicas":9},"status":{"phase":"Failed"}}');
    Object.defineProperty(copy, 'lost', { value: undefined, enumerable: true });
    expect(jsonOfUnread(copy)).toBe('{"spec":{"replicas":9},"status":{"phase":"Failed"}}');
    expect(onRead).not.toHaveBeenCalled();
  });

  it('is written as JSON without reading its fields', () => {
    const onRead = jest.fn();
    expect(jsonOfUnread(unread(onRead))).toBe(JSON.stringify(parsed));
    expect(onRead).not.toHaveBeenCalled();
    expect(jsonOfUnread(parsed)).toBeUndefined();
  });

  it('may have another key than the thousand whose getters are kept', () => {
    for (let at = 0; at < 1_100; at += 1) {
      const thing = withUnread({ [`key ${at}`]: 0 }, new Map([[`key ${at}`, field({ at })]]));
      expect(jsonOfUnread(thing)).toBe(`{"key ${at}":{"at":${at}}}`);
      expect(thing).toEqual({ [`key ${at}`]: { at } });
    }
  });

  it('has a field whose value is null, which is parsed once too', () => {
    const onRead = jest.fn();
    const thing = withUnread({ spec: 0 }, new Map([['spec', new UnreadField('null', onRead)]]));
    expect([thing['spec'], thing['spec']]).toEqual([null, null]);
    expect(onRead).toHaveBeenCalledTimes(1);
  });
});
