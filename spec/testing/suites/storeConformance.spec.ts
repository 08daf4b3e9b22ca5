import { describe, expect, it } from '@jest/globals';

import { type KubernetesObject, metaNamespaceKey } from '../../../src/api/kubernetesObject.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { createStore } from '../../../src/cache/store/memoryStore.js';
import { createUndeltaStore } from '../../../src/cache/store/createUndeltaStore.js';
import { metaNamespaceIndexFunc } from '../../../src/cache/store/indexFuncs.js';
import type { Store } from '../../../src/cache/store/store.js';
import { storeConformance } from '../../../src/testing/suites/storeConformance.js';
import type { StoreFactory } from '../../../src/testing/suites/storeConformanceCase.js';

/** The least that a user might write: an array that is searched. */
function createArrayStore(): Store<KubernetesObject> {
  let entries: { key: string; object: KubernetesObject }[] = [];
  let version = '';
  const without = (key: string): typeof entries => entries.filter((entry) => entry.key !== key);
  const put = (object: KubernetesObject): void => {
    const key = metaNamespaceKey(object);
    entries = [...without(key), { key, object }];
    version = object.metadata?.resourceVersion ?? version;
  };
  const getByKey = (key: string): KubernetesObject | undefined => entries.find((entry) => entry.key === key)?.object;
  return {
    add: put,
    update: put,
    delete: (object) => {
      entries = without(metaNamespaceKey(object));
      version = object.metadata?.resourceVersion ?? version;
    },
    replace: (objects, resourceVersion) => {
      entries = [...new Map(objects.map((object) => [metaNamespaceKey(object), object]))].map(([key, object]) => ({ key, object }));
      version = resourceVersion;
    },
    list: () => entries.map(({ object }) => object),
    listKeys: () => entries.map(({ key }) => key),
    get: (object) => getByKey(metaNamespaceKey(object)),
    getByKey,
    resync: () => undefined,
    lastStoreSyncResourceVersion: () => version,
    bookmark: (resourceVersion) => {
      version = resourceVersion;
    },
  };
}

describe.each<[string, StoreFactory]>([
  ['createStore', createStore],
  ['createIndexer', () => createIndexer({ indexers: { namespace: metaNamespaceIndexFunc } })],
  ['createUndeltaStore', () => createUndeltaStore(() => undefined)],
  ["a user's own store", createArrayStore],
])('storeConformance: %s', (_name, create) => {
  it.each(storeConformance)('$name', ({ run }) => {
    expect(() => run(create)).not.toThrow();
  });
});

type Fault = (store: Store<KubernetesObject>) => Partial<Store<KubernetesObject>>;

/** Each breaks one thing, and names the cases that must notice. */
const faults: readonly [string, Fault, readonly string[]][] = [
  [
    'objects are kept in an object',
    (store) => ({ getByKey: (key) => store.getByKey(key) ?? ({} as Record<string, KubernetesObject>)[key] }),
    ['keeps cluster-scoped objects by name'],
  ],
  [
    'objects are changed',
    (store) => ({
      add: (object) => {
        Object.assign(object.metadata ?? {}, { uid: 'another' });
        store.add(object);
      },
    }),
    ['inserts by add and by update'],
  ],
  ['add does nothing', () => ({ add: () => undefined }), ['inserts by add and by update']],
  ['update does nothing', () => ({ update: () => undefined }), ['overwrites by add and by update']],
  ['delete does nothing', () => ({ delete: () => undefined }), ['deletes by key']],
  [
    'delete fails for what is not there',
    (store) => ({
      delete: (object) => {
        if (store.get(object) === undefined) throw new Error('not there');
        store.delete(object);
      },
    }),
    ['does nothing when it deletes what is not there'],
  ],
  [
    'objects are copied',
    (store) => ({ list: () => store.list().map((object) => ({ ...object })) }),
    ['inserts by add and by update', 'holds exactly the list after replace'],
  ],
  ['objects are copied by getByKey', (store) => ({ getByKey: (key) => structuredClone(store.getByKey(key)) }), ['deletes by key']],
  [
    'replace adds',
    (store) => ({ replace: (objects) => objects.forEach((object) => store.add(object)) }),
    ['holds exactly the list after replace', 'tells the version written last, wherever it came from'],
  ],
  [
    'replace is not atomic',
    (store) => ({
      replace: (objects, resourceVersion) => {
        store.replace([], resourceVersion);
        objects.forEach((object) => store.add(object));
        store.bookmark(resourceVersion);
      },
    }),
    ['changes nothing in replace when one object has no key'],
  ],
  [
    'replace keeps the first of several',
    (store) => ({ replace: (objects, resourceVersion) => store.replace([...objects].reverse(), resourceVersion) }),
    ['keeps the last of several objects with one key in replace'],
  ],
  [
    'older versions are refused',
    (store) => ({
      update: (object) => {
        if (Number(object.metadata?.resourceVersion) >= Number(store.get(object)?.metadata?.resourceVersion ?? 0)) store.update(object);
      },
    }),
    ['takes any version, older ones as well'],
  ],
  [
    'one list for all callers',
    (store) => {
      const listed = store.list();
      return { list: () => (listed.splice(0, listed.length, ...store.list()), listed) };
    },
    ['returns arrays that belong to the caller'],
  ],
  [
    'objects without a key are dropped silently',
    (store) => ({
      add: (object) => {
        if (object.metadata !== undefined) store.add(object);
      },
    }),
    ['refuses an object without a key and stays as it was'],
  ],
  ['resync empties it', (store) => ({ resync: () => store.replace([], '') }), ['does nothing on resync']],
  ['bookmark does nothing', () => ({ bookmark: () => undefined }), ['tells the version written last, wherever it came from']],
  ['bookmark empties it', (store) => ({ bookmark: (version) => store.replace([], version) }), ['changes no object on a bookmark']],
  [
    'an object without a version clears the version',
    (store) => ({
      add: (object) => {
        store.add(object);
        store.bookmark(object.metadata?.resourceVersion ?? '');
      },
    }),
    ['keeps its version when an object has none'],
  ],
  [
    'the version never goes back',
    (store) => ({
      add: (object) => {
        const before = store.lastStoreSyncResourceVersion();
        store.add(object);
        if (Number(before) > Number(object.metadata?.resourceVersion)) store.bookmark(before);
      },
    }),
    ['takes versions as they come, without comparing them'],
  ],
  ['it is full from the start', (store) => (store.add({ metadata: { name: 'x' } }), {}), ['is empty at first']],
  [
    'cluster-scoped objects are lost',
    (store) => ({ listKeys: () => store.listKeys().filter((key) => key.includes('/')) }),
    ['keeps cluster-scoped objects by name'],
  ],
  ['get never finds anything', () => ({ get: () => undefined }), ['finds an object by its key and by another object with that key']],
];

describe('storeConformance: a broken store', () => {
  it.each(faults)('is found out when %s', (_name, faultOf, expected) => {
    const createBroken: StoreFactory = () => {
      const store = createStore<KubernetesObject>();
      const fault = faultOf(store);
      return new Proxy(store, {
        get: (target, property, receiver) => {
          const broken: unknown = Reflect.get(fault, property);
          if (broken !== undefined) return broken;
          const value: unknown = Reflect.get(target, property, receiver);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    };
    const failed = storeConformance
      .filter(({ run }) => {
        try {
          run(createBroken);
          return false;
        } catch {
          return true;
        }
      })
      .map(({ name }) => name);
    expect(failed).toEqual(expect.arrayContaining([...expected]));
  });

  it('is found out when all stores share their content', () => {
    const shared = createStore<KubernetesObject>();
    const unshared = storeConformance.find(({ name }) => name === 'shares nothing with another store');
    expect(() => unshared?.run(() => shared)).toThrow('listKeys must return each key once');
  });

  it('is found out when replace keeps the array', () => {
    const createAliasing: StoreFactory = () => {
      let objects: readonly KubernetesObject[] = [];
      return {
        ...createArrayStore(),
        replace: (replacement) => {
          objects = replacement;
        },
        list: () => [...objects],
        listKeys: () => objects.map((object) => metaNamespaceKey(object)),
        getByKey: (key) => objects.find((object) => metaNamespaceKey(object) === key),
      };
    };
    const aliasing = storeConformance.find(({ name }) => name === 'does not depend on the array given to replace');
    expect(() => aliasing?.run(createAliasing)).toThrow();
  });
});
