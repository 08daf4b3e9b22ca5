import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../src/json.js';
import { pruneObject } from '../../src/schema/pruneObject.js';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        name: text,
        list: { type: 'array', items: { type: 'object', properties: { a: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

describe('pruneObject', () => {
  it('names what it takes out by its path (rows 97 and 106)', () => {
    const sent = {
      kind: 'W',
      spec: { name: 'n', z: 1, list: [{ a: 'x' }, { b: 1 }], map: { k: { a: 'x', c: 1 } }, free: { any: [1] } },
      extra: {},
    };
    expect(pruneObject(sent, schema)).toEqual({
      object: { kind: 'W', spec: { name: 'n', list: [{ a: 'x' }, {}], map: { k: { a: 'x' } }, free: { any: [1] } } },
      unknown: ['extra', 'spec.list[1].b', 'spec.map.k.c', 'spec.z'],
    });
  });

  it('keeps what the items of a list hold where the list keeps all, and no more than their own schemas say', () => {
    const keeps = { 'x-kubernetes-preserve-unknown-fields': true };
    const closed = { type: 'object', properties: { a: text } };
    const open = { type: 'array', items: { type: 'object', properties: { closed } }, ...keeps };
    const lists = { type: 'object', properties: { open, nested: { type: 'array', items: { type: 'array', items: closed }, ...keeps } } };
    const sent = { open: [{ free: { b: 1 }, closed: { a: 'x', b: 1 } }], nested: [[{ a: 'x', b: 1 }]] };
    expect(pruneObject(sent, lists)).toEqual({
      object: { open: [{ free: { b: 1 }, closed: { a: 'x' } }], nested: [[{ a: 'x', b: 1 }]] },
      unknown: ['open[0].closed.b'],
    });
  });

  it('takes nothing out a second time, and never what an object is (row 97)', () => {
    const anything = fc.object({
      key: fc.constantFrom('spec', 'name', 'list', 'map', 'free', 'metadata', 'kind', 'b'),
      maxDepth: 4,
      values: [fc.string(), fc.integer()],
    });
    fc.assert(
      fc.property(anything, (object) => {
        const sent = { ...object, metadata: { name: 'n' } } as JsonObject;
        const once = pruneObject(sent, schema).object;
        expect(pruneObject(once, schema)).toEqual({ object: once, unknown: [] });
        expect(once['metadata']).toEqual({ name: 'n' });
      }),
    );
  });
});
