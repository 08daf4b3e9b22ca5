import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deepFreeze } from '../../src/api/deepFreeze.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { jsonTextOf } from '../../src/api/jsonTextOf.js';
import { edit } from '../../src/cache/edit.js';
import { shareUnchanged } from '../../src/cache/store/shareUnchanged.js';
import { toClientNode } from '../../src/client/toClientNode.js';
import { isEqualJson } from '../../src/api/isEqualJson.js';
import { runs } from '../tier.js';

interface Deep extends KubernetesObject {
  readonly spec: object;
}

/** An object whose spec is nested so deep, in objects and lists in turn, with a value at the bottom. */
function deepObject(depth: number, bottom: string): string {
  const pairs = Math.ceil(depth / 2);
  const spec = `${'{"a":['.repeat(pairs)}${bottom}${']}'.repeat(pairs)}`;
  return `{"apiVersion":"example.com/v1","kind":"Deep","metadata":{"name":"web","namespace":"default"},"spec":${spec}}`;
}

const parse = (text: string): Deep => JSON.parse(text) as Deep;
const anyDepth = fc.oneof(
  { maxDepth: 1 },
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 190, max: 210 }),
  fc.integer({ min: 1, max: 10_000 }),
);

describe('what walks objects', () => {
  it('walks those of any depth that a server sends', () => {
    fc.assert(
      fc.property(anyDepth, (depth) => {
        const [text, other] = [deepObject(depth, '1'), deepObject(depth, '2')];
        const object = parse(text);
        expect(deepFreeze(object)).toBe(object);
        expect(jsonTextOf(object)).toBe(text);
        expect([isEqualJson(parse(text), object), isEqualJson(parse(other), object)]).toEqual([true, false]);
        expect(jsonTextOf(shareUnchanged(object, parse(text)))).toBe(text);
        expect(jsonTextOf(shareUnchanged(object, parse(other)))).toBe(other);
        expect(jsonTextOf(toClientNode(object))).toBe(text);
      }),
      { numRuns: runs(60) },
    );
  });

  it('edits beside what is deep, and names the object where it cannot edit the deep itself', () => {
    fc.assert(
      fc.property(anyDepth, (depth) => {
        const object = deepFreeze(parse(deepObject(depth, '1')));
        const labelled = edit(object, (draft) => {
          draft.metadata = { ...draft.metadata, labels: { app: 'web' } };
        });
        expect(labelled.object.spec).toBe(object.spec);
        const setDeep = (): unknown =>
          edit(object, (draft) => {
            draft.spec = parse(deepObject(depth, '2')).spec;
          });
        let message = '';
        try {
          setDeep();
        } catch (error) {
          message = String(error);
        }
        const named = depth > 500 ? ['', 'RangeError: Cannot edit Deep default/web: the changed parts are nested too deeply'] : [''];
        expect(named).toContain(message);
      }),
      { numRuns: runs(60) },
    );
  });
});
