import { describe, expect, it } from '@jest/globals';

import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createUndeltaStore } from '../../../src/cache/store/createUndeltaStore.js';

function podOf(name: string): KubernetesObject {
  return { metadata: { name } };
}

function pushing(initialObjects: KubernetesObject[] = []) {
  const pushed: (string | undefined)[][] = [];
  const store = createUndeltaStore<KubernetesObject>((objects) => pushed.push(objects.map(({ metadata }) => metadata?.name)), {
    initialObjects,
  });
  return { store, pushed };
}

describe('createUndeltaStore', () => {
  it('pushes its content once after every write, also one without effect (UD-01)', () => {
    const { store, pushed } = pushing([podOf('a')]);
    expect(pushed).toEqual([]);
    store.add(podOf('b'));
    store.update(podOf('b'));
    store.delete(podOf('a'));
    store.delete(podOf('a'));
    store.replace([podOf('c'), podOf('d')], '1');
    store.transaction([
      { type: 'delete', object: podOf('c') },
      { type: 'add', object: podOf('e') },
    ]);
    expect(pushed).toEqual([['a', 'b'], ['a', 'b'], ['b'], ['b'], ['c', 'd'], ['d', 'e']]);
  });

  it('pushes nothing on reads and on writes that fail (UD-01)', () => {
    const { store, pushed } = pushing([podOf('a')]);
    store.list();
    store.listKeys();
    store.get(podOf('a'));
    store.getByKey('a');
    store.bookmark('1');
    store.resync();
    for (const write of [
      () => store.add({}),
      () => store.update({}),
      () => store.delete({}),
      () => store.replace([{}], '1'),
      () => store.transaction([{ type: 'add', object: {} }]),
    ]) {
      expect(write).toThrow();
    }
    expect(pushed).toEqual([]);
  });

  it('pushes what a transaction has changed although a step failed', () => {
    const { store, pushed } = pushing();
    expect(() =>
      store.transaction([
        { type: 'add', object: podOf('a') },
        { type: 'add', object: {} },
      ]),
    ).toThrow('1 of 2 steps');
    expect(pushed).toEqual([['a']]);
  });

  it('refuses a push that is no function', () => {
    expect(() => createUndeltaStore(undefined as never)).toThrow(new TypeError('Expected `push` to be a function, got undefined'));
  });
});
