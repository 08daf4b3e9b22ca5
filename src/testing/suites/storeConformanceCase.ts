import assert from 'node:assert/strict';
import { deepFreeze } from '../../api/deepFreeze.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Store } from '../../cache/store/store.js';

/** Makes the store under test: empty, keyed by `namespace/name`, without a transform. */
export type StoreFactory = () => Store<KubernetesObject>;

/** One requirement for a Store. */
export interface StoreConformanceCase {
  /** A fact, for use as the name of a test. */
  readonly name: string;
  /** Throws when the store does not meet the requirement. */
  readonly run: (createStore: StoreFactory) => void;
}

/** A pod, as an example object: frozen, as in a cache. */
export function podOf(name: string, resourceVersion: string, namespace = 'default'): KubernetesObject {
  return deepFreeze({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid: `uid-of-${name}`, resourceVersion } });
}

/** Fails unless the store contains exactly these objects, by identity. */
export function expectObjects(store: Store<KubernetesObject>, expected: Readonly<Record<string, KubernetesObject>>): void {
  const keys = Object.keys(expected).sort();
  assert.deepEqual([...store.listKeys()].sort(), keys, 'listKeys must return each key once');
  const listed = store.list();
  assert.equal(listed.length, keys.length, 'list must return each object once');
  for (const key of keys) {
    const object = expected[key];
    assert.equal(store.getByKey(key), object, `getByKey(${key}) must return the stored object itself`);
    assert.ok(object !== undefined && listed.includes(object), `list must return the object stored under ${key} itself`);
  }
}

/** An object without a key. */
export const keyless: KubernetesObject = { kind: 'Pod' };

/** Fails unless the write throws and leaves the store as it was. */
export function expectRefusal(
  store: Store<KubernetesObject>,
  write: () => void,
  expected: Readonly<Record<string, KubernetesObject>>,
): void {
  const version = store.lastStoreSyncResourceVersion();
  assert.throws(write, Error, 'an object without a key must be refused with an Error');
  expectObjects(store, expected);
  assert.equal(store.lastStoreSyncResourceVersion(), version, 'a refused write must leave the version as it was');
}
