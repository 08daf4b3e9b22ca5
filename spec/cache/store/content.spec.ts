import { describe, expect, it } from '@jest/globals';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { createStore } from '../../../src/cache/store/memoryStore.js';
import { contentOf } from '../../../src/cache/store/content.js';
import type { Store } from '../../../src/cache/store/store.js';

interface Item {
  readonly metadata: { readonly name: string };
  readonly tag?: string;
}

const item = (name: string, tag?: string): Item => ({ metadata: { name }, ...(tag !== undefined && { tag }) });

/** Throws at `bad`. */
function byTag({ tag }: Item): readonly string[] {
  if (tag === 'bad') throw new Error('bad tag');
  return tag === undefined ? [] : [tag];
}

function createTagged() {
  const failures: string[] = [];
  const indexer = createIndexer<Item>({ indexers: { byTag }, onIndexError: (_, indexName, key) => failures.push(`${indexName} ${key}`) });
  return { indexer, failures };
}

/** Staged content that goes by names, and whose failing index functions are reported when it is published, as the cache does. */
function stage(store: Store<Item>, whole = true) {
  const content = contentOf(store);
  const staged = content.stage(whole);
  return {
    put: (object: Item) => staged.put(object.metadata.name, object),
    remove: (key: string) => staged.remove(key),
    publish: (resourceVersion: string, gone?: readonly string[]) => {
      staged.publish(resourceVersion, gone);
      content.report(() => undefined);
    },
  };
}

describe('staged content', () => {
  it('shows nothing to readers before the content is published, and then all of it as one change', () => {
    const { indexer } = createTagged();
    indexer.replace([item('old', 'x')], '1');
    const staged = stage(indexer);
    staged.put(item('a', 'x'));
    staged.put(item('b', 'y'));
    expect(indexer.listKeys()).toEqual(['old']);
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['old']);
    expect(indexer.listIndexFuncValues('byTag')).toEqual(['x']);
    staged.publish('7');
    expect(indexer.listKeys()).toEqual(['a', 'b']);
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['a']);
    expect(indexer.indexKeys('byTag', 'y')).toEqual(['b']);
    expect(indexer.lastStoreSyncResourceVersion()).toBe('7');
  });

  it('keeps the last of several objects with one key, and nothing of what was removed', () => {
    const { indexer } = createTagged();
    const staged = stage(indexer);
    for (const object of [item('a', 'x'), item('b', 'x'), item('a', 'y'), item('c', 'x')]) staged.put(object);
    staged.remove('c');
    staged.publish('1');
    expect(indexer.listKeys()).toEqual(['a', 'b']);
    expect(indexer.byIndex('byTag', 'x')).toEqual([item('b', 'x')]);
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['b']);
    expect(indexer.byIndex('byTag', 'y')).toEqual([item('a', 'y')]);
  });

  it('takes the place of what was written meanwhile', () => {
    const store = createStore<Item>();
    const staged = stage(store);
    staged.put(item('a'));
    store.add(item('b'));
    staged.publish('1');
    expect(store.listKeys()).toEqual(['a']);
  });

  it('fills the indexes that were added meanwhile', () => {
    const { indexer } = createTagged();
    const staged = stage(indexer);
    staged.put(item('a', 'x'));
    indexer.addIndexers({ byName: ({ metadata }) => [metadata.name] });
    staged.publish('1');
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['a']);
    expect(indexer.indexKeys('byName', 'a')).toEqual(['a']);
  });

  it('reports failing index functions when it is published, and only of objects that are in it', () => {
    const { indexer, failures } = createTagged();
    const staged = stage(indexer);
    for (const object of [item('a', 'bad'), item('b', 'bad'), item('c', 'bad'), item('d', 'x')]) staged.put(object);
    staged.put(item('b', 'x'));
    staged.remove('c');
    expect(failures).toEqual([]);
    staged.publish('1');
    expect(failures).toEqual(['byTag a']);
    expect(indexer.listKeys()).toEqual(['a', 'b', 'd']);
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['b', 'd']);
  });

  it('leaves what it does not have where only a part is published, but for what is said to be gone', () => {
    const { indexer } = createTagged();
    indexer.replace([item('a', 'x'), item('b', 'x'), item('c', 'x')], '1');
    const staged = stage(indexer, false);
    for (const object of [item('a', 'y'), item('d', 'y'), item('e', 'y')]) staged.put(object);
    staged.remove('e');
    indexer.add(item('f', 'x'));
    expect(indexer.indexKeys('byTag', 'y')).toEqual([]);
    staged.publish('7', ['b']);
    expect(indexer.listKeys().sort()).toEqual(['a', 'c', 'd', 'f']);
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['c', 'f']);
    expect(indexer.indexKeys('byTag', 'y')).toEqual(['a', 'd']);
    expect(indexer.lastStoreSyncResourceVersion()).toBe('7');
  });

  it('files a part under the indexes that there are when it is published, and reports each failure once', () => {
    const { indexer, failures } = createTagged();
    const staged = stage(indexer, false);
    for (const object of [item('a', 'bad'), item('b', 'x')]) staged.put(object);
    indexer.addIndexers({ byName: ({ metadata }) => [metadata.name] });
    expect(failures).toEqual([]);
    staged.publish('1');
    expect(failures).toEqual(['byTag a']);
    expect(indexer.indexKeys('byName', 'a')).toEqual(['a']);
    expect(indexer.indexKeys('byTag', 'x')).toEqual(['b']);
  });

  it('reports of a part each index function that has failed, and of the last object with a key alone', () => {
    const { indexer, failures } = createTagged();
    const staged = stage(indexer, false);
    for (const object of [item('a', 'bad'), item('b', 'bad'), item('b', 'x'), item('c', 'x'), item('d', 'bad')]) staged.put(object);
    staged.remove('d');
    expect(failures).toEqual([]);
    staged.publish('1');
    expect(failures).toEqual(['byTag a']);
  });

  it('is that of a store alone: a wrapper is written by its own methods', () => {
    const written: string[] = [];
    const store = createStore<Item>();
    const wrapper = Object.assign(Object.create(store) as Store<Item>, {
      update: ({ metadata }: Item) => written.push(`~${metadata.name}`),
      delete: ({ metadata }: Item) => written.push(`-${metadata.name}`),
      replace: (objects: readonly Item[], version: string) =>
        written.push(`=${objects.map(({ metadata }) => metadata.name).join()}@${version}`),
    });
    store.replace([item('a'), item('b')], '1');
    const content = contentOf(wrapper);
    content.put('c', item('c'));
    content.remove('a');
    content.remove('x');
    const part = content.stage(false);
    for (const name of ['c', 'd']) part.put(name, item(name));
    part.remove('d');
    part.publish('2', ['b']);
    const whole = content.stage(true);
    whole.put('e', item('e'));
    whole.publish('3');
    content.report(() => written.push('reported'));
    expect(written).toEqual(['~c', '-a', '=a,c@2', '=e@3']);
  });
});

describe('the keys of a store', () => {
  it('are those that the content is written under', () => {
    const store = createIndexer<Item>({ keyFunc: ({ metadata }) => metadata.name });
    contentOf(store).put('another', item('a'));
    expect(store.listKeys()).toEqual(['another']);
    contentOf(store).remove('another');
    expect(store.listKeys()).toEqual([]);
  });

  it('are handed to index functions, and found again for an object that tells none', () => {
    const store = createIndexer<{ readonly value: number }>({ indexers: { byFirst: (_, key) => [key.charAt(0)] } });
    const value = { value: 1 };
    contentOf(store).put('cluster/web/a', value);
    contentOf(store).put('cluster/web/b', { value: 2 });
    expect(store.indexKeys('byFirst', 'c')).toEqual(['cluster/web/a', 'cluster/web/b']);
    expect(store.index('byFirst', value)).toEqual([{ value: 1 }, { value: 2 }]);
    expect(store.get(value)).toBe(value);
    expect(() => store.get({ value: 1 })).toThrow('Unable to compute the key');
    store.delete(value);
    expect(store.listKeys()).toEqual(['cluster/web/b']);
  });

  it('are not changed while an index function runs', () => {
    const nested: (() => void)[] = [];
    const keyFunc = ({ metadata }: Item): string => metadata.name;
    const store = createIndexer<Item>({ keyFunc, indexers: { nested: () => (nested.shift()?.(), []) } });
    const refused: string[] = [];
    const attempt = (work: () => void): void => {
      nested.push(() => {
        try {
          work();
        } catch (error) {
          refused.push(String(error));
        }
      });
      store.add(item('a'));
    };
    attempt(() => store.add(item('b')));
    attempt(() => store.update(item('b')));
    attempt(() => store.delete(item('a')));
    attempt(() => store.addIndexers({ more: () => [] }));
    attempt(() => store.transaction([{ type: 'delete', object: item('a') }]));
    attempt(() => store.replace([], '1'));
    attempt(() => contentOf(store).put('a', item('a')));
    attempt(() => stage(store).publish('1'));
    attempt(() => contentOf(store).remove('a'));
    expect(refused).toHaveLength(9);
    expect(new Set(refused)).toEqual(new Set(['Error: An index function must not change the store']));
    expect(store.listKeys()).toEqual(['a']);
  });
});
