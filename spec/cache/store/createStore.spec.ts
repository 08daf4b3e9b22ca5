import { describe, expect, it } from '@jest/globals';

import { DeletedFinalStateUnknown, ExplicitKey, type KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createStore } from '../../../src/cache/store/memoryStore.js';
import { KeyError } from '../../../src/cache/keyFunc.js';

function podOf(name: string, resourceVersion?: string): KubernetesObject {
  return { kind: 'Pod', metadata: { namespace: 'default', name, ...(resourceVersion !== undefined && { resourceVersion }) } };
}

describe('createStore', () => {
  it('has the whole surface of a store (ST-01)', () => {
    const store = createStore<KubernetesObject>();
    const [a, b] = [podOf('a', '1'), podOf('b', '2')];
    store.add(a);
    store.update(b);
    expect(store.list()).toEqual([a, b]);
    expect(store.listKeys()).toEqual(['default/a', 'default/b']);
    store.delete(a);
    expect([store.get(b), store.getByKey('default/b')]).toEqual([b, b]);
    store.replace([a], '3');
    store.resync();
    expect(store.lastStoreSyncResourceVersion()).toBe('3');
    store.bookmark('4');
    expect(store.lastStoreSyncResourceVersion()).toBe('4');
  });

  it('treats add and update alike: both insert and overwrite (ST-02)', () => {
    const store = createStore<KubernetesObject>();
    store.update(podOf('a', '1'));
    store.add(podOf('a', '2'));
    expect(store.list()).toEqual([podOf('a', '2')]);
    store.update(podOf('a', '3'));
    expect(store.list()).toEqual([podOf('a', '3')]);
  });

  it('does nothing when it deletes what is not there (ST-03)', () => {
    const store = createStore<KubernetesObject>();
    store.add(podOf('a'));
    store.delete(podOf('b'));
    expect(store.listKeys()).toEqual(['default/a']);
  });

  it('finds by object, which needs a key, and by key, which never fails (ST-04)', () => {
    const store = createStore<KubernetesObject>();
    const a = podOf('a', '1');
    store.add(a);
    expect(store.get(podOf('a', '9'))).toBe(a);
    expect(store.get(podOf('b'))).toBeUndefined();
    expect(() => store.get({})).toThrow(KeyError);
    expect(store.getByKey('no/such/key')).toBeUndefined();
  });

  it('holds exactly the list after replace, the last of several with one key (ST-06)', () => {
    const store = createStore<KubernetesObject>();
    store.add(podOf('a', '1'));
    const last = podOf('b', '3');
    store.replace([podOf('b', '2'), podOf('c', '2'), last], '4');
    expect(new Set(store.listKeys())).toEqual(new Set(['default/b', 'default/c']));
    expect(store.getByKey('default/b')).toBe(last);
  });

  it('changes nothing in replace when a key or the transform fails (ST-06)', () => {
    const store = createStore<KubernetesObject>({
      transform: (pod) => {
        if (pod.metadata?.name === 'bad') throw new Error('bad pod');
        return pod;
      },
    });
    const a = podOf('a', '1');
    store.add(a);
    expect(() => store.replace([podOf('b'), {}], '5')).toThrow(KeyError);
    expect(() => store.replace([podOf('b'), podOf('bad')], '5')).toThrow('The transform failed for default/bad: bad pod');
    expect(store.list()).toEqual([a]);
    expect(store.lastStoreSyncResourceVersion()).toBe('1');
  });

  it('hands out the objects themselves (ST-07)', () => {
    const store = createStore<KubernetesObject>();
    const [a, b] = [podOf('a'), podOf('b')];
    store.add(a);
    expect(store.getByKey('default/a')).toBe(a);
    store.replace([a, b], '1');
    expect(store.list()[0]).toBe(a);
    expect(store.get(b)).toBe(b);
  });

  it('lists one state, which later writes do not change, and every key once (ST-08)', () => {
    const store = createStore<KubernetesObject>();
    store.replace([podOf('a'), podOf('b'), podOf('a')], '1');
    const listed = store.list();
    store.add(podOf('c'));
    store.delete(podOf('a'));
    expect(listed.map((pod) => pod.metadata?.name).sort()).toEqual(['a', 'b']);
  });

  it('does nothing on resync (ST-09)', () => {
    const store = createStore<KubernetesObject>();
    store.add(podOf('a', '1'));
    store.resync();
    expect([store.listKeys(), store.lastStoreSyncResourceVersion()]).toEqual([['default/a'], '1']);
  });

  it('keeps nothing of the array given to replace, so that one object does not hold its page (RL-14)', () => {
    const store = createStore<KubernetesObject>();
    const page = [podOf('a'), podOf('b')];
    store.replace(page, '1');
    page.length = 0;
    page.push(podOf('c'));
    expect(store.listKeys()).toEqual(['default/a', 'default/b']);
  });

  it('holds its initial objects before anything is written (EX-03)', () => {
    const a = podOf('a', '7');
    const store = createStore<KubernetesObject>({ initialObjects: new Set([a]) });
    expect(store.getByKey('default/a')).toBe(a);
    expect(store.lastStoreSyncResourceVersion()).toBe('');
  });

  it('takes an explicit key or a tombstone for an object (KF-02, KF-04)', () => {
    const store = createStore<KubernetesObject>({ keyFunc: (pod) => `pod ${pod.metadata?.name ?? ''}` });
    const a = podOf('a', '1');
    store.replace([a, podOf('b', '2'), podOf('c', '3')], '3');
    expect(store.get(new ExplicitKey('pod a'))).toBe(a);
    store.delete(new ExplicitKey('pod a'));
    store.delete(new DeletedFinalStateUnknown('pod b', podOf('b', '9')));
    expect(store.listKeys()).toEqual(['pod c']);
  });
});

describe('createStore: transform', () => {
  const stripped: KubernetesObject = { kind: 'Stripped' };

  it('is applied to what add, update and replace store, under the key of the object as it came (ST-10)', () => {
    const store = createStore<KubernetesObject>({ transform: () => stripped });
    store.add(podOf('a', '1'));
    store.update(podOf('b', '2'));
    expect([store.getByKey('default/a'), store.getByKey('default/b')]).toEqual([stripped, stripped]);
    store.replace([podOf('c', '3')], '4');
    expect(store.getByKey('default/c')).toBe(stripped);
  });

  it('leaves the write undone when it throws or returns nothing, and is not needed to delete (ST-10)', () => {
    const results: (() => KubernetesObject)[] = [
      () => {
        throw new Error('no');
      },
      () => undefined as unknown as KubernetesObject,
      () => null as unknown as KubernetesObject,
    ];
    const store = createStore<KubernetesObject>({ transform: (pod) => results.shift()?.() ?? pod });
    expect(() => store.add(podOf('a', '1'))).toThrow(
      expect.objectContaining({ code: 'ERR_TRANSFORM', key: 'default/a', message: 'The transform failed for default/a: no' }),
    );
    expect(results.length).toBe(2);
    expect(store.list()).toEqual([]);
    expect(store.lastStoreSyncResourceVersion()).toBe('');
    store.delete(podOf('a', '1'));
    expect(results.length).toBe(2);
  });

  it.each([undefined, null])('must not return %s', (nothing) => {
    const store = createStore<KubernetesObject>({ transform: () => nothing as unknown as KubernetesObject });
    expect(() => store.add(podOf('a'))).toThrow(`Expected the transform to return an object for default/a, got ${String(nothing)}`);
    expect(store.list()).toEqual([]);
  });

  it.each([
    ['a copy', () => stripped],
    ['the object itself', (pod: KubernetesObject) => Object.assign(pod, { metadata: {} })],
  ])('may take the metadata away, from %s: the version is that of the object as it came', (_, transform) => {
    const store = createStore<KubernetesObject>({ transform });
    store.add(podOf('a', '5'));
    expect(store.lastStoreSyncResourceVersion()).toBe('5');
  });
});

describe('createStore: lastStoreSyncResourceVersion', () => {
  it('is empty at first and then the version last written (ST-11)', () => {
    const store = createStore<KubernetesObject>();
    expect(store.lastStoreSyncResourceVersion()).toBe('');
    store.add(podOf('a', '5'));
    expect(store.lastStoreSyncResourceVersion()).toBe('5');
  });

  it('comes from add, update, a deleted object, replace and bookmark, as it is (ST-12)', () => {
    const store = createStore<KubernetesObject>();
    const version = (): string => store.lastStoreSyncResourceVersion();
    store.add(podOf('a', '10'));
    store.update(podOf('a', '9'));
    expect(version()).toBe('9');
    store.delete(podOf('a', '12'));
    expect(version()).toBe('12');
    store.replace([podOf('b', '99')], '20');
    expect(version()).toBe('20');
    store.bookmark('opaque');
    expect(version()).toBe('opaque');
  });

  it('is left by an explicit key, a tombstone and an object without a version (ST-12)', () => {
    const store = createStore<KubernetesObject>();
    store.replace([podOf('a', '1'), podOf('b', '2')], '20');
    store.delete(new ExplicitKey('default/a'));
    store.delete(new DeletedFinalStateUnknown('default/b', podOf('b', '30')));
    store.add(podOf('c'));
    expect(store.lastStoreSyncResourceVersion()).toBe('20');
  });

  it('advances by replace and bookmark alone where objects carry no metadata (ST-14)', () => {
    const store = createStore<{ id: string }>({ keyFunc: ({ id }) => id });
    store.replace([{ id: 'a' }], '1');
    store.add({ id: 'b' });
    store.delete({ id: 'a' });
    expect(store.lastStoreSyncResourceVersion()).toBe('1');
    store.bookmark('2');
    expect(store.lastStoreSyncResourceVersion()).toBe('2');
  });
});

describe('createStore: bad input', () => {
  it.each([
    [{ keyFunc: 'name' }, 'Expected `keyFunc` of `createStore` to be a function, got "name"'],
    [{ transform: {} }, 'Expected `transform` of `createStore` to be a function, got an object'],
    [{ initialObjects: 7 }, 'Expected `initialObjects` of `createStore` to be iterable, got 7'],
    [{ initialObjects: null }, 'Expected `initialObjects` of `createStore` to be iterable, got null'],
    [{ initialObjects: { metadata: {} } }, 'Expected `initialObjects` of `createStore` to be iterable, got an object'],
  ])('refuses the options %j', (options, message) => {
    expect(() => createStore(options as never)).toThrow(new TypeError(message));
  });

  it('refuses initial objects without a key', () => {
    expect(() => createStore({ initialObjects: [{}] })).toThrow(KeyError);
  });

  it('refuses a key that is no string', () => {
    const store = createStore<{ id: number }>({ keyFunc: ({ id }) => id as unknown as string });
    expect(() => store.add({ id: 7 })).toThrow(
      'Unable to compute the key of an object without a name: Expected the key function to return a string, got number',
    );
    expect(store.list()).toEqual([]);
  });

  it.each([undefined, null])('refuses %s for an object, whatever the key function makes of it', (nothing) => {
    const store = createStore<unknown>({ keyFunc: () => 'always' });
    expect(() => store.add(nothing)).toThrow(`Expected an object, got ${String(nothing)}`);
    expect(store.listKeys()).toEqual([]);
  });

  it('refuses a version that is no string and a list that is no array, and stays as it was', () => {
    const store = createStore<KubernetesObject>();
    store.add(podOf('a', '1'));
    expect(() => store.replace([], 5 as unknown as string)).toThrow(new TypeError('Expected `resourceVersion` to be a string, got number'));
    expect(() => store.replace(undefined as unknown as [], '5')).toThrow(new TypeError('Expected `objects` to be an array, got undefined'));
    expect(() => store.bookmark(undefined as unknown as string)).toThrow(
      new TypeError('Expected `resourceVersion` to be a string, got undefined'),
    );
    expect([store.listKeys(), store.lastStoreSyncResourceVersion()]).toEqual([['default/a'], '1']);
  });
});
