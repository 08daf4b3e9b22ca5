import assert from 'node:assert/strict';
import { expectObjects, expectRefusal, keyless, podOf, type StoreConformanceCase, type StoreFactory } from './storeConformanceCase.js';

/** A case with an empty store. */
const onStore = (name: string, check: (store: ReturnType<StoreFactory>) => void): StoreConformanceCase => ({
  name,
  run: (createStore) => check(createStore()),
});

const contents: readonly StoreConformanceCase[] = [
  onStore('is empty at first', (store) => {
    expectObjects(store, {});
    assert.equal(store.getByKey('default/a'), undefined);
    assert.equal(store.get(podOf('a', '1')), undefined);
    assert.equal(store.lastStoreSyncResourceVersion(), '', 'the version of a store that was never written to must be empty');
  }),
  {
    name: 'shares nothing with another store',
    run(createStore): void {
      createStore().add(podOf('a', '1'));
      expectObjects(createStore(), {});
    },
  },
  onStore('inserts by add and by update', (store) => {
    const a = podOf('a', '1');
    const b = podOf('b', '2', 'other');
    store.add(a);
    store.update(b);
    expectObjects(store, { 'default/a': a, 'other/b': b });
  }),
  onStore('overwrites by add and by update', (store) => {
    store.add(podOf('a', '1'));
    const added = podOf('a', '2');
    store.add(added);
    expectObjects(store, { 'default/a': added });
    const updated = podOf('a', '3');
    store.update(updated);
    expectObjects(store, { 'default/a': updated });
  }),
  onStore('keeps cluster-scoped objects by name', (store) => {
    const node = { kind: 'Node', metadata: { name: 'n1', resourceVersion: '1' } };
    store.add(node);
    expectObjects(store, { n1: node });
    assert.equal(store.getByKey('constructor'), undefined, 'a key must find no property that every object of JavaScript has');
  }),
  onStore('takes any version, older ones as well', (store) => {
    store.add(podOf('a', '9'));
    const older = podOf('a', '3');
    store.update(older);
    expectObjects(store, { 'default/a': older });
  }),
  onStore('finds an object by its key and by another object with that key', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    assert.equal(store.get(podOf('a', '99')), a);
    assert.equal(store.getByKey('a'), undefined);
  }),
  onStore('deletes by key', (store) => {
    const b = podOf('b', '2');
    store.add(podOf('a', '1'));
    store.add(b);
    store.delete(podOf('a', '3'));
    expectObjects(store, { 'default/b': b });
    store.add(podOf('a', '4'));
    assert.equal(store.listKeys().length, 2, 'a deleted key can be used again');
  }),
  onStore('does nothing when it deletes what is not there', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    store.delete(podOf('b', '2'));
    expectObjects(store, { 'default/a': a });
  }),
];

const replacement: readonly StoreConformanceCase[] = [
  onStore('holds exactly the list after replace', (store) => {
    store.add(podOf('a', '1'));
    store.add(podOf('b', '2'));
    const b = podOf('b', '3');
    const c = podOf('c', '4');
    store.replace([b, c], '5');
    expectObjects(store, { 'default/b': b, 'default/c': c });
    store.replace([], '6');
    expectObjects(store, {});
  }),
  onStore('keeps the last of several objects with one key in replace', (store) => {
    const last = podOf('a', '2');
    store.replace([podOf('a', '1'), last], '5');
    expectObjects(store, { 'default/a': last });
  }),
  onStore('does not depend on the array given to replace', (store) => {
    const a = podOf('a', '1');
    const list = [a];
    store.replace(list, '5');
    list.push(podOf('b', '2'));
    list[0] = podOf('c', '3');
    expectObjects(store, { 'default/a': a });
  }),
  onStore('returns arrays that belong to the caller', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    store.list().length = 0;
    store.listKeys().length = 0;
    expectObjects(store, { 'default/a': a });
    const listed = store.list();
    store.add(podOf('b', '2'));
    assert.equal(store.list().length, 2);
    assert.equal(listed.length, 1, 'a list must stay as it was when the store changes');
  }),
];

const refusals: readonly StoreConformanceCase[] = [
  onStore('refuses an object without a key and stays as it was', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    const expected = { 'default/a': a };
    expectRefusal(store, () => store.add(keyless), expected);
    expectRefusal(store, () => store.update(keyless), expected);
    expectRefusal(store, () => store.delete(keyless), expected);
    expectRefusal(store, () => store.get(keyless), expected);
  }),
  onStore('changes nothing in replace when one object has no key', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    expectRefusal(store, () => store.replace([podOf('b', '2'), keyless], '3'), { 'default/a': a });
    expectRefusal(store, () => store.replace([keyless, podOf('b', '2')], '3'), { 'default/a': a });
  }),
  onStore('does nothing on resync', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    store.resync();
    expectObjects(store, { 'default/a': a });
    assert.equal(store.lastStoreSyncResourceVersion(), '1');
  }),
];

const versions: readonly StoreConformanceCase[] = [
  onStore('tells the version written last, wherever it came from', (store) => {
    const expectVersion = (version: string, after: string): void =>
      assert.equal(store.lastStoreSyncResourceVersion(), version, `the version after ${after}`);
    store.add(podOf('a', '11'));
    expectVersion('11', 'add');
    store.update(podOf('a', '12'));
    expectVersion('12', 'update');
    store.delete(podOf('a', '13'));
    expectVersion('13', 'delete');
    store.replace([podOf('a', '2')], '14');
    expectVersion('14', 'replace');
    store.bookmark('15');
    expectVersion('15', 'bookmark');
  }),
  onStore('takes versions as they come, without comparing them', (store) => {
    store.bookmark('100');
    store.add(podOf('a', '7'));
    assert.equal(store.lastStoreSyncResourceVersion(), '7');
    store.bookmark('opaque');
    assert.equal(store.lastStoreSyncResourceVersion(), 'opaque');
  }),
  onStore('keeps its version when an object has none', (store) => {
    store.bookmark('100');
    store.add({ metadata: { name: 'a' } });
    store.delete({ metadata: { name: 'a' } });
    assert.equal(store.lastStoreSyncResourceVersion(), '100');
  }),
  onStore('changes no object on a bookmark', (store) => {
    const a = podOf('a', '1');
    store.add(a);
    store.bookmark('100');
    expectObjects(store, { 'default/a': a });
  }),
];

/**
 * The required behaviour of a Store for `scanToIndex`, including custom ones. For any test runner: each case has a name, and throws
 * when it fails.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createStore } from 'rx-informer/pipeline';
 * import { storeConformance } from 'rx-informer/testing';
 *
 * for (const { name, run } of storeConformance) {
 *   run(() => createStore<KubernetesObject>());
 *   console.log('ok', name);
 * }
 * ```
 */
export const storeConformance: readonly StoreConformanceCase[] = [...contents, ...replacement, ...refusals, ...versions];
