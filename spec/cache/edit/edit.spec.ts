import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { deepFreeze } from '../../../src/api/deepFreeze.js';
import { edit, jsonPatchBetween } from '../../../src/cache/edit.js';
import { applyJsonPatch } from './jsonPatchApplier.js';
import { runs } from '../../tier.js';

interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number | undefined;
    readonly args: readonly string[];
    readonly template?: { readonly a: { readonly b: number } };
  };
}

const deployment: Deployment = deepFreeze({
  kind: 'Deployment',
  metadata: { name: 'web', resourceVersion: '7', annotations: { 'a/b': '1', 'c~d': '2' } },
  spec: { replicas: 1, args: ['a', 'b', 'c', 'd'], template: { a: { b: 1 } } },
});
const test = { op: 'test', path: '/metadata/resourceVersion', value: '7' };

describe('edit', () => {
  it('makes a new object and the patch, and leaves the cached one as it was', () => {
    const text = JSON.stringify(deployment);
    const { object, patch } = edit(deployment, (draft) => {
      draft.spec.replicas = 3;
    });
    expect(object.spec.replicas).toBe(3);
    expect(patch).toEqual([test, { op: 'replace', path: '/spec/replicas', value: 3 }]);
    expect(JSON.stringify(deployment)).toBe(text);
    expect(object.metadata).toBe(deployment.metadata);
    expect(object.spec.template).toBe(deployment.spec.template);
  });

  it('takes an object for one that has `then` as a field', () => {
    const object: object = { metadata: { name: 'a' }, then: 'retry' };
    expect(edit(object, () => ({ ...object, then: 'stop' })).patch).toContainEqual({ op: 'replace', path: '/then', value: 'stop' });
  });

  it('adds a field whose name every object knows', () => {
    const { patch } = edit<{ data: Record<string, string> }>({ data: {} }, (draft) => {
      draft.data['toString'] = 'x';
    });
    expect(patch).toEqual([{ op: 'add', path: '/data/toString', value: 'x' }]);
  });

  it('freezes the result, which shares with the original', () => {
    const original = { metadata: { name: 'a' }, spec: { list: [{ x: 1 }] } };
    const { object } = edit(original, (draft) => {
      draft.metadata.name = 'b';
    });
    expect(object.spec).toBe(original.spec);
    expect([Object.isFrozen(object), Object.isFrozen(object.metadata), Object.isFrozen(object.spec.list[0])]).toEqual([true, true, true]);
  });

  it('returns the object itself and an empty patch when nothing has changed', () => {
    const recipes: ((draft: { spec: { replicas?: number | undefined; args: string[] } }) => unknown)[] = [
      () => undefined,
      (draft) => (draft.spec.replicas = 1),
      (draft) => {
        draft.spec.args = ['a', 'b', 'c', 'd'];
      },
      (draft) => draft.spec.args.push('e') && draft.spec.args.pop(),
      () => JSON.parse(JSON.stringify(deployment)) as object,
      (draft) => {
        (draft as { nothing?: unknown }).nothing = undefined;
      },
    ];
    for (const recipe of recipes) {
      const { object, patch } = edit(deployment, recipe);
      expect(object).toBe(deployment);
      expect(patch).toEqual([]);
    }
  });

  it('leaves out the test for an object without a version', () => {
    const { patch } = edit({ spec: { n: 1 } }, (draft) => {
      draft.spec.n = 2;
    });
    expect(patch).toEqual([{ op: 'replace', path: '/spec/n', value: 2 }]);
  });

  it('tests the version of the original even when the recipe changes it', () => {
    const { patch } = edit(deployment, (draft) => {
      delete draft.metadata?.resourceVersion;
    });
    expect(patch).toEqual([test, { op: 'remove', path: '/metadata/resourceVersion' }]);
  });

  it('escapes pointers', () => {
    const { patch } = edit(deployment, (draft) => {
      const annotations = draft.metadata?.annotations;
      if (annotations === undefined) return;
      annotations['a/b'] = '3';
      delete annotations['c~d'];
      annotations['~1/'] = '4';
      annotations[''] = '5';
    });
    expect(patch.slice(1)).toEqual([
      { op: 'remove', path: '/metadata/annotations/c~0d' },
      { op: 'replace', path: '/metadata/annotations/a~1b', value: '3' },
      { op: 'add', path: '/metadata/annotations/~01~1', value: '4' },
      { op: 'add', path: '/metadata/annotations/', value: '5' },
    ]);
  });

  it('removes what is set to undefined, at any depth', () => {
    const { object, patch } = edit(deployment, (draft) => {
      draft.spec.replicas = undefined;
      (draft as { extra?: unknown }).extra = { kept: 1, gone: undefined, list: [undefined, { gone: undefined }, 'kept'] };
    });
    expect(Object.hasOwn(object.spec, 'replicas')).toBe(false);
    expect((object as { extra?: unknown }).extra).toStrictEqual({ kept: 1, list: [null, {}, 'kept'] });
    expect(patch.slice(1)).toEqual([
      { op: 'remove', path: '/spec/replicas' },
      { op: 'add', path: '/extra', value: { kept: 1, list: [null, {}, 'kept'] } },
    ]);
  });

  it.each<[string, (args: string[]) => unknown, readonly object[]]>([
    ['push', (args) => args.push('e'), [{ op: 'add', path: '/spec/args/4', value: 'e' }]],
    ['pop', (args) => args.pop(), [{ op: 'remove', path: '/spec/args/3' }]],
    ['shift', (args) => args.shift(), [{ op: 'remove', path: '/spec/args/0' }]],
    [
      'unshift',
      (args) => args.unshift('e', 'f'),
      [
        { op: 'add', path: '/spec/args/0', value: 'e' },
        { op: 'add', path: '/spec/args/1', value: 'f' },
      ],
    ],
    [
      'splice',
      (args) => args.splice(1, 2, 'e'),
      [
        { op: 'replace', path: '/spec/args/1', value: 'e' },
        { op: 'remove', path: '/spec/args/2' },
      ],
    ],
    ['length', (args) => (args.length = 1), [3, 2, 1].map((at) => ({ op: 'remove', path: `/spec/args/${at}` }))],
    ['an element', (args) => (args[2] = 'e'), [{ op: 'replace', path: '/spec/args/2', value: 'e' }]],
  ])('writes valid operations for arrays: %s', (_name, change, expected) => {
    const { object, patch } = edit(deployment, (draft) => {
      change(draft.spec.args);
    });
    expect(patch.slice(1)).toEqual(expected);
    expect(applyJsonPatch(deployment, patch)).toEqual(object);
  });

  it('takes an object that the recipe returns', () => {
    const { object, patch } = edit<{ a?: number; b?: number }>({ a: 1 }, () => ({ b: 2 }));
    expect(object).toEqual({ b: 2 });
    expect(patch).toEqual([
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/b', value: 2 },
    ]);
  });

  it('ignores what an arrow function happens to return', () => {
    expect(edit(deployment, (draft) => (draft.spec.replicas = 2)).object.spec.replicas).toBe(2);
    expect(edit(deployment, (draft) => delete draft.spec.replicas).object.spec).not.toHaveProperty('replicas');
  });

  it('refuses a recipe that both writes and returns an object', () => {
    expect(() => edit(deployment, (draft) => (draft.spec.args = []))).toThrow('returned a new value *and* modified its draft');
  });

  it('passes on what the recipe throws', () => {
    expect(() =>
      edit(deployment, (draft) => {
        draft.spec.replicas = 9;
        throw new Error('second thoughts');
      }),
    ).toThrow('second thoughts');
    expect(deployment.spec.replicas).toBe(1);
  });

  it.each([
    [null, 'Expected `object` to be a plain object, got null'],
    ['x', 'Expected `object` to be a plain object, got string'],
    [[1], 'Expected `object` to be a plain object, got an instance of a class or an array'],
    [new Date(0), 'Expected `object` to be a plain object, got an instance of a class or an array'],
  ])('refuses to edit %j', (object, message) => {
    expect(() => edit(object as object, () => undefined)).toThrow(new TypeError(message));
  });

  it('refuses a recipe that is no function, is asynchronous or leaves no object', () => {
    expect(() => edit(deployment, 7 as never)).toThrow(new TypeError('Expected `recipe` to be a function, got number'));
    expect(() => edit(deployment, () => Promise.resolve())).toThrow(new TypeError('Expected `recipe` to be synchronous, got a promise'));
    expect(() => edit(deployment, () => [1])).toThrow('Expected the result of `recipe` to be a plain object');
  });

  it('takes a date for a value', () => {
    const original = { at: new Date(1), list: [new Date(1)] };
    const { patch } = edit(original, (draft) => {
      draft.at = new Date(2);
    });
    expect(patch).toEqual([{ op: 'replace', path: '/at', value: new Date(2) }]);
  });

  it('leaves a __proto__ key where it is', () => {
    const original = JSON.parse('{"a":{"__proto__":{"x":1}},"b":1,"__proto__":{"y":2}}') as { b: number };
    const { object, patch } = edit(original, (draft) => {
      draft.b = 2;
    });
    expect(JSON.stringify(object)).toBe('{"a":{"__proto__":{"x":1}},"b":2,"__proto__":{"y":2}}');
    expect(patch).toEqual([{ op: 'replace', path: '/b', value: 2 }]);
  });
});

describe('edit: the law of the patch', () => {
  // Assigning to __proto__ does not change a key, neither in a draft nor in any other object; the spec above covers objects that have such
  // a key.
  const text = fc
    .oneof(fc.string(), fc.constantFrom('a', 'b', '/', '~', '~1', '0', '1', '-', 'length'))
    .filter((key) => key !== '__proto__');
  const value = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 0, 1.5, 'x', 'y', undefined),
      fc.array(tie('json'), { maxLength: 5 }),
      fc.dictionary(text, tie('json'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).json;
  const object = fc.dictionary(text, value, { maxKeys: 5, noNullPrototype: true });

  type Draftable = Record<string, unknown>;
  interface Step {
    readonly path: readonly number[];
    readonly key: string;
    readonly at: number;
    readonly remove: number;
    readonly value: unknown;
  }
  const steps = fc.array(fc.record({ path: fc.array(fc.nat(4), { maxLength: 3 }), key: text, at: fc.nat(5), remove: fc.nat(3), value }), {
    maxLength: 6,
  });

  /** Changes a container of the draft: splices an array, or sets or deletes a property of an object. */
  function change(draft: Draftable, { path, key, at, remove, value: put }: Step): void {
    let container: unknown = draft;
    for (const turn of path) {
      const children: unknown[] = Object.values(container as object).filter((child) => typeof child === 'object' && child !== null);
      if (children.length === 0) break;
      container = children[turn % children.length];
    }
    if (Array.isArray(container)) container.splice(at, remove, ...(put === undefined ? [] : [put]));
    else if (remove === 3) Reflect.deleteProperty(container as Draftable, Object.keys(container as Draftable)[at] ?? key);
    else (container as Draftable)[key] = put;
  }

  it('makes the JSON of the edited object of the JSON of the original', () => {
    fc.assert(
      fc.property(
        object,
        steps,
        fc.option(fc.stringMatching(/^[1-9]\d{0,5}$/), { nil: undefined }),
        (original, changes, resourceVersion) => {
          const frozen: Draftable = deepFreeze({ ...original, ...(resourceVersion !== undefined && { metadata: { resourceVersion } }) });
          const before = JSON.stringify(frozen);
          const { object: edited, patch } = edit(frozen, (draft) => {
            for (const step of changes) change(draft, JSON.parse(JSON.stringify(step)) as Step);
          });
          expect(JSON.stringify(frozen)).toBe(before);
          expect(applyJsonPatch(frozen, patch)).toEqual(JSON.parse(JSON.stringify(edited)));
          const test = { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion };
          expect(patch.slice(0, 1)).toEqual(patch.length > 0 && resourceVersion !== undefined ? [test] : patch.slice(0, 1));
          expect(edited === frozen).toBe(patch.length === 0);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('holds between any two values', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const before: unknown = JSON.parse(JSON.stringify({ a }));
        const after: unknown = JSON.parse(JSON.stringify({ a: b }));
        expect(applyJsonPatch(before, jsonPatchBetween(before, after))).toEqual(after);
      }),
      { numRuns: runs(200) },
    );
  });

  it('takes a property that is undefined for one that is not there', () => {
    expect(jsonPatchBetween({ a: undefined, b: 1 }, { a: undefined, b: 2 })).toEqual([{ op: 'replace', path: '/b', value: 2 }]);
    expect(jsonPatchBetween([{ a: undefined }], [{}])).toEqual([]);
    expect(jsonPatchBetween([{}], [{ a: undefined }])).toEqual([]);
  });

  it('takes time in proportion to the size, however deep arrays are nested', () => {
    const nest = (leaf: number): unknown => JSON.parse(`{"a":${'['.repeat(40)}${leaf}${']'.repeat(40)}}`);
    expect(jsonPatchBetween(nest(1), nest(2))).toEqual([{ op: 'replace', path: `/a${'/0'.repeat(40)}`, value: 2 }]);
    const tree = (leaf: number): unknown => JSON.parse(`${'{"a":'.repeat(40)}${leaf}${'}'.repeat(40)}`);
    expect(jsonPatchBetween([tree(1)], [tree(2)])).toHaveLength(1);
  });
});
