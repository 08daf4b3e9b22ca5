import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';

import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { contentOf } from '../../../src/cache/store/content.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import { KeyError } from '../../../src/cache/keyFunc.js';
import { metaNamespaceIndexFunc, namespaceIndex } from '../../../src/cache/store/indexFuncs.js';

interface Named {
  readonly name: string;
  readonly tags: readonly string[];
}

const byTag = ({ tags }: Named): readonly string[] => tags;

function named(name: string, ...tags: string[]): Named {
  return { name, tags };
}

function createNamed(...objects: Named[]) {
  return createIndexer<Named>({ keyFunc: ({ name }) => name, indexers: { tag: byTag }, initialObjects: objects });
}

describe('createIndexer: lookups', () => {
  it('files an object under none, one or several values (IX-01)', () => {
    const [none, one, two] = [named('none'), named('one', 'x'), named('two', 'x', 'y', 'x')];
    const indexer = createNamed(none, one, two);
    expect(indexer.byIndex('tag', 'x')).toEqual([one, two]);
    expect(indexer.byIndex('tag', 'y')).toEqual([two]);
    expect(indexer.listIndexFuncValues('tag')).toEqual(['x', 'y']);
    expect(indexer.list()).toHaveLength(3);
  });

  it('returns the objects of a value, and none for a value that nobody has (IX-03)', () => {
    const one = named('one', 'x');
    const indexer = createNamed(one);
    expect(indexer.byIndex('tag', 'x')[0]).toBe(one);
    expect(indexer.byIndex('tag', 'z')).toEqual([]);
    expect(indexer.byIndex('tag', '__proto__')).toEqual([]);
  });

  it('names the indexes that exist when it is asked for another (IX-03)', () => {
    const indexer = createNamed();
    indexer.addIndexers({ second: byTag });
    const message = 'Expected `indexName` to be the name of an index (existing: "tag", "second"), got "tga"';
    expect(() => indexer.byIndex('tga', 'x')).toThrow(new TypeError(message));
    expect(() => indexer.index('tga', named('a'))).toThrow(new TypeError(message));
    expect(() => indexer.byIndexes({ tag: 'x', tga: 'x' })).toThrow(new TypeError(message));
    expect(() => createIndexer().byIndex('tag', 'x')).toThrow('(existing: none), got "tag"');
  });

  it('returns the keys of a value in ascending order (IX-04)', () => {
    const indexer = createNamed(named('c', 'x'), named('a', 'x'), named('B', 'x'), named('d', 'y'));
    expect(indexer.indexKeys('tag', 'x')).toEqual(['B', 'a', 'c']);
    expect(indexer.indexKeys('tag', 'z')).toEqual([]);
    expect(() => indexer.indexKeys('tga', 'x')).toThrow('Expected `indexName` to be the name of an index');
  });

  it('returns each object that shares any value with another one once (IX-05)', () => {
    const [both, x, y, z] = [named('both', 'x', 'y'), named('x', 'x'), named('y', 'y'), named('z', 'z')];
    const indexer = createNamed(both, x, y, z);
    expect(new Set(indexer.index('tag', named('other', 'x', 'y')))).toEqual(new Set([both, x, y]));
    expect(indexer.index('tag', named('other', 'x', 'y'))).toHaveLength(3);
    expect(indexer.index('tag', named('other'))).toEqual([]);
  });

  it('passes on what the index function throws at another object (IX-05)', () => {
    expect(() => createNamed().index('tag', { name: 'x' } as Named)).toThrow(
      'Expected an index function to return an array of strings, got undefined',
    );
  });

  it('lists no values for an index that does not exist (IX-06)', () => {
    const indexer = createNamed(named('a', 'x', 'y'), named('b', 'y'));
    expect(indexer.listIndexFuncValues('tag')).toEqual(['x', 'y']);
    expect(indexer.listIndexFuncValues('tga')).toEqual([]);
  });

  it('intersects several indexes', () => {
    const indexer = createIndexer<{ name: string; node: string; app: string }>({
      keyFunc: ({ name }) => name,
      indexers: { node: ({ node }) => [node], app: ({ app }) => [app] },
    });
    const objects = ['a', 'b', 'c'].flatMap((app) => ['1', '2'].map((node) => ({ name: `${app}${node}`, app, node })));
    indexer.replace(objects, '1');
    expect(indexer.byIndexes({ app: 'b', node: '2' })).toEqual([objects[3]]);
    expect(indexer.byIndexes({ node: '2', app: 'b' })).toEqual([objects[3]]);
    expect(indexer.byIndexes({ node: '1' }).map(({ name }) => name)).toEqual(['a1', 'b1', 'c1']);
    expect(indexer.byIndexes({ app: 'b', node: '3' })).toEqual([]);
    expect(indexer.byIndexes({})).toEqual(objects);
  });

  it('returns the type of its objects and hands it to index functions (IX-16)', () => {
    const indexer = createIndexer<Named>({
      keyFunc: ({ name }) => name,
      indexers: {
        length: (object) => {
          expectTypeOf(object).toEqualTypeOf<Named>();
          return [String(object.tags.length)];
        },
      },
    });
    expectTypeOf(indexer.byIndex('length', '1')).toEqualTypeOf<Named[]>();
    indexer.add(named('a', 'x'));
    expect(indexer.byIndex('length', '1')[0]?.tags).toEqual(['x']);
    // @ts-expect-error: an index function for other objects
    createIndexer<Named>({ indexers: { size: (object: { size: string }) => [object.size] } });
  });
});

describe('createIndexer: changes', () => {
  it('moves an object between values on update (IX-09)', () => {
    const indexer = createNamed(named('a', 'x', 'y'), named('b', 'y'));
    indexer.update(named('a', 'y', 'z'));
    expect(indexer.listIndexFuncValues('tag').sort()).toEqual(['y', 'z']);
    expect(indexer.indexKeys('tag', 'y')).toEqual(['a', 'b']);
    expect(indexer.indexKeys('tag', 'z')).toEqual(['a']);
    indexer.update(named('a'));
    expect(indexer.listIndexFuncValues('tag')).toEqual(['y']);
    indexer.update(named('a', 'w'));
    expect(indexer.indexKeys('tag', 'w')).toEqual(['a']);
  });

  it('finds the new object under a value that has not changed (IX-09)', () => {
    const indexer = createNamed(named('a', 'x'));
    const newer = named('a', 'x');
    indexer.update(newer);
    expect(indexer.byIndex('tag', 'x')[0]).toBe(newer);
  });

  it('leaves nothing behind for a value that nobody has any more, which can come back (IX-08)', () => {
    const indexer = createNamed();
    for (let round = 0; round < 100; round += 1) {
      indexer.add(named('a', `10.0.0.${round}`));
      indexer.add(named('b', `10.0.0.${round}`));
      indexer.add(named('b', 'other'));
    }
    expect(indexer.listIndexFuncValues('tag')).toEqual(['10.0.0.99', 'other']);
    indexer.delete(named('a'));
    indexer.delete(named('b'));
    expect(indexer.listIndexFuncValues('tag')).toEqual([]);
    indexer.add(named('c', '10.0.0.1'));
    expect(indexer.indexKeys('tag', '10.0.0.1')).toEqual(['c']);
  });

  it('keeps a value that another object still has (IX-08)', () => {
    const indexer = createNamed(named('a', 'x'), named('b', 'x'), named('c', 'x'));
    indexer.delete(named('b'));
    expect(indexer.indexKeys('tag', 'x')).toEqual(['a', 'c']);
    indexer.delete(named('a'));
    indexer.add(named('d', 'x'));
    expect(indexer.indexKeys('tag', 'x')).toEqual(['c', 'd']);
  });

  it('builds all indexes anew on replace (IX-15)', () => {
    const indexer = createNamed(named('a', 'x'), named('b', 'y'));
    indexer.replace([named('b', 'z'), named('c', 'x'), named('b', 'w')], '1');
    expect(indexer.listIndexFuncValues('tag').sort()).toEqual(['w', 'x']);
    expect(indexer.indexKeys('tag', 'x')).toEqual(['c']);
    expect(indexer.indexKeys('tag', 'w')).toEqual(['b']);
  });

  it('shows none of a replace to the index functions that it calls', () => {
    const seen: string[][] = [];
    const indexer = createNamed(named('a', 'x'));
    indexer.addIndexers({
      spy: () => {
        seen.push([...indexer.listKeys(), ...indexer.indexKeys('tag', 'x')]);
        return [];
      },
    });
    seen.length = 0;
    indexer.replace([named('b', 'x'), named('c', 'x')], '1');
    expect(seen).toEqual([
      ['a', 'a'],
      ['a', 'a'],
    ]);
  });
});

describe('createIndexer: a failing index function', () => {
  const failing = ({ name, tags }: Named): readonly string[] => {
    if (tags.includes('bad')) throw new Error(`no index for ${name}`);
    return tags;
  };

  function createFailing(onIndexError?: (error: unknown, indexName: string, key: string) => void) {
    return createIndexer<Named>({ keyFunc: ({ name }) => name, indexers: { failing, tag: byTag }, onIndexError });
  }

  it('throws after the object is stored and filed in the other indexes (IX-07)', () => {
    const indexer = createFailing();
    indexer.add(named('a', 'x'));
    const bad = named('a', 'bad');
    expect(() => indexer.update(bad)).toThrow(
      expect.objectContaining({
        name: 'InformerError',
        code: 'ERR_INDEX_FUNC',
        key: 'a',
        message: 'The index function "failing" failed for a: no index for a',
        cause: new Error('no index for a'),
      }),
    );
    expect(indexer.getByKey('a')).toBe(bad);
    expect(indexer.byIndex('tag', 'bad')).toEqual([bad]);
    expect(indexer.listIndexFuncValues('failing')).toEqual([]);
  });

  it('is handed to onIndexError, and the write goes through (IX-07)', () => {
    const told: unknown[][] = [];
    const indexer = createFailing((...told_) => told.push(told_));
    indexer.replace([named('a', 'x'), named('b', 'bad'), named('c', 'bad', 'x')], '1');
    expect(told).toEqual([
      [new Error('no index for b'), 'failing', 'b'],
      [new Error('no index for c'), 'failing', 'c'],
    ]);
    expect(indexer.indexKeys('failing', 'x')).toEqual(['a']);
    expect(indexer.indexKeys('tag', 'x')).toEqual(['a', 'c']);
    indexer.update(named('b', 'x'));
    expect(indexer.indexKeys('failing', 'x')).toEqual(['a', 'b']);
  });

  it('is told once for a whole replace, with the number of the others', () => {
    const indexer = createFailing();
    expect(() => indexer.replace([named('a', 'bad'), named('b', 'bad'), named('c', 'bad')], '7')).toThrow(
      'The index function "failing" failed for a and 2 others: no index for a',
    );
    expect(indexer.listKeys()).toEqual(['a', 'b', 'c']);
    expect(indexer.lastStoreSyncResourceVersion()).toBe('7');
    indexer.add(named('d'));
    expect(indexer.getByKey('d')).toBeDefined();
  });

  it('leaves no stale entry when it throws at an old object, or no longer says what it said', () => {
    let answer = (object: Named): readonly string[] => object.tags;
    const indexer = createIndexer<Named>({ keyFunc: ({ name }) => name, indexers: { moody: (object) => answer(object) } });
    indexer.replace([named('a', 'x'), named('b', 'x', 'y'), named('c', 'z')], '1');
    answer = (): readonly string[] => {
      throw new Error('not in the mood');
    };
    indexer.delete(named('a'));
    answer = (): readonly string[] => ['w'];
    indexer.delete(named('b'));
    indexer.update(named('c'));
    expect(indexer.listIndexFuncValues('moody')).toEqual(['w']);
    expect(indexer.indexKeys('moody', 'w')).toEqual(['c']);
  });

  it('leaves no stale entry when a stored object was changed in spite of all', () => {
    const tags = ['x', 'y'];
    const indexer = createNamed({ name: 'a', tags });
    tags.splice(0, 2, 'z');
    indexer.update(named('a', 'w'));
    expect(indexer.listIndexFuncValues('tag')).toEqual(['w']);
  });

  it.each([
    [undefined, 'Expected an index function to return an array of strings, got undefined'],
    [null, 'Expected an index function to return an array of strings, got null'],
    ['x', 'Expected an index function to return an array of strings, got string'],
    [['x', undefined], 'Expected an index function to return strings only, got undefined'],
    [[null], 'Expected an index function to return strings only, got null'],
    [[7], 'Expected an index function to return strings only, got 7'],
  ])('may not return %j', (returned, message) => {
    const indexer = createIndexer<Named>({ keyFunc: ({ name }) => name, indexers: { odd: () => returned as string[] } });
    expect(() => indexer.add(named('a'))).toThrow(message);
    expect([indexer.listKeys(), indexer.listIndexFuncValues('odd')]).toEqual([['a'], []]);
  });

  it('may not change the store', () => {
    const told: unknown[] = [];
    const indexer = createIndexer<Named>({
      keyFunc: ({ name }) => name,
      indexers: {
        tag: byTag,
        meddling: ({ name }) => {
          indexer.delete(named(name));
          return ['never'];
        },
      },
      onIndexError: (error) => told.push(error),
    });
    indexer.add(named('a', 'x'));
    expect(told).toEqual([new Error('An index function must not change the store')]);
    expect([indexer.listKeys(), indexer.indexKeys('tag', 'x'), indexer.listIndexFuncValues('meddling')]).toEqual([['a'], ['a'], []]);
  });

  it.each<readonly [string, (indexer: Indexer<Named>, removeIndex: () => void) => void]>([
    ['add', (indexer) => indexer.add(named('b'))],
    ['update', (indexer) => indexer.update(named('b'))],
    ['replace', (indexer) => indexer.replace([named('b')], '1')],
    ['the put of its content', (indexer) => contentOf(indexer).put('b', named('b'))],
    ['the remove of its content', (indexer) => contentOf(indexer).remove('a')],
    ['addIndexers', (indexer) => indexer.addIndexers({ more: () => [] })],
    ['the removal of an index', (_, removeIndex) => removeIndex()],
  ])('may not change the store by %s', (_, meddle) => {
    const told: unknown[] = [];
    const meddling = (): readonly string[] => {
      meddle(indexer, removeIndex);
      return [];
    };
    const onIndexError = (error: unknown): unknown => told.push(error);
    const indexer = createIndexer<Named>({ keyFunc: ({ name }) => name, indexers: { tag: byTag, meddling }, onIndexError });
    const removeIndex = indexer.addIndexers({ last: byTag });
    indexer.add(named('a', 'x'));
    expect([told, indexer.listKeys()]).toEqual([[new Error('An index function must not change the store')], ['a']]);
  });

  it('lets onIndexError change the store', () => {
    const indexer = createFailing((_error, _indexName, key) => indexer.delete(named(key)));
    indexer.add(named('a', 'bad'));
    expect(indexer.listKeys()).toEqual([]);
    expect(indexer.listIndexFuncValues('tag')).toEqual([]);
  });
});

describe('createIndexer: addIndexers', () => {
  it('files every stored object at once (IX-11)', () => {
    const indexer = createNamed(named('a', 'x'), named('b', 'x', 'y'));
    indexer.addIndexers({ first: ({ tags }) => tags.slice(0, 1), size: ({ tags }) => [String(tags.length)] });
    expect(indexer.indexKeys('first', 'x')).toEqual(['a', 'b']);
    expect(indexer.indexKeys('size', '2')).toEqual(['b']);
    indexer.add(named('c', 'x'));
    expect(indexer.indexKeys('first', 'x')).toEqual(['a', 'b', 'c']);
  });

  it('refuses names that exist, and adds none of the others (IX-12)', () => {
    const indexer = createNamed(named('a', 'x'));
    expect(() => indexer.addIndexers({ other: byTag, tag: () => ['changed'] })).toThrow(
      new TypeError('Expected new index names in `indexers`, got "tag", already in use'),
    );
    expect(Object.keys(indexer.getIndexers())).toEqual(['tag']);
    expect(indexer.listIndexFuncValues('tag')).toEqual(['x']);
  });

  it('takes them away again, and never another of the same name', () => {
    const indexer = createNamed(named('a', 'x'));
    const remove = indexer.addIndexers({ first: ({ tags }) => tags.slice(0, 1), size: ({ tags }) => [String(tags.length)] });
    remove();
    expect(Object.keys(indexer.getIndexers())).toEqual(['tag']);
    expect(() => indexer.byIndex('size', '1')).toThrow('Expected `indexName` to be the name of an index (existing: "tag"), got "size"');
    indexer.addIndexers({ size: byTag });
    remove();
    expect(indexer.indexKeys('size', 'x')).toEqual(['a']);
  });

  it('works for an indexer made without any (IX-14)', () => {
    const indexer = createIndexer<Named>({ keyFunc: ({ name }) => name, indexers: undefined });
    indexer.add(named('a', 'x'));
    indexer.addIndexers({ tag: byTag });
    expect(indexer.indexKeys('tag', 'x')).toEqual(['a']);
  });

  it('tells the functions, in an object of the caller (IX-13)', () => {
    const indexer = createNamed(named('a', 'x'));
    const indexers = indexer.getIndexers() as Record<string, typeof byTag>;
    expect(indexers).toEqual({ tag: byTag });
    delete indexers['tag'];
    expect(indexer.indexKeys('tag', 'x')).toEqual(['a']);
  });

  it('takes any name', () => {
    const indexer = createNamed(named('a', 'constructor'));
    indexer.addIndexers(JSON.parse('{}') as Record<string, typeof byTag>);
    indexer.addIndexers(Object.fromEntries([['__proto__', byTag]]));
    expect(indexer.indexKeys('__proto__', 'constructor')).toEqual(['a']);
    expect(Object.keys(indexer.getIndexers())).toEqual(['tag', '__proto__']);
  });

  it('adds an index whose function fails, and reports it then', () => {
    const indexer = createNamed(named('a', 'x'), named('b', 'bad'));
    const failing = ({ tags }: Named): readonly string[] => {
      if (tags.includes('bad')) throw new Error('bad');
      return tags;
    };
    expect(() => indexer.addIndexers({ failing })).toThrow('The index function "failing" failed for b: bad');
    expect(indexer.indexKeys('failing', 'x')).toEqual(['a']);
  });

  it.each([
    [{ tag2: 'x' }, 'Expected the index "tag2" to be a function, got "x"'],
    [{ ok: byTag, bad: undefined }, 'Expected the index "bad" to be a function, got undefined'],
    [null, 'Expected `indexers` to be an object of index functions, got null'],
    [7, 'Expected `indexers` to be an object of index functions, got 7'],
  ])('refuses %j and adds nothing', (indexers, message) => {
    const indexer = createNamed(named('a', 'x'));
    expect(() => indexer.addIndexers(indexers as never)).toThrow(new TypeError(message));
    expect(Object.keys(indexer.getIndexers())).toEqual(['tag']);
  });
});

describe('createIndexer: options', () => {
  it('keys and indexes Kubernetes objects without being told how', () => {
    const indexer = createIndexer<KubernetesObject>({ indexers: { [namespaceIndex]: metaNamespaceIndexFunc } });
    indexer.add({ metadata: { namespace: 'a', name: 'b' } });
    expect(indexer.indexKeys('namespace', 'a')).toEqual(['a/b']);
  });

  it.each([
    [{ indexers: { tag: 7 } }, 'Expected the index "tag" to be a function, got 7'],
    [{ indexers: null }, 'Expected `indexers` to be an object of index functions, got null'],
    [{ onIndexError: 'log' }, 'Expected `onIndexError` of `createIndexer` to be a function, got "log"'],
  ])('refuses %j', (options, message) => {
    expect(() => createIndexer(options as never)).toThrow(new TypeError(message));
  });

  it('changes nothing when a key fails', () => {
    const indexer = createNamed(named('a', 'x'));
    expect(() => indexer.replace([named('b', 'y'), undefined as unknown as Named], '1')).toThrow(KeyError);
    expect([indexer.listKeys(), indexer.listIndexFuncValues('tag')]).toEqual([['a'], ['x']]);
  });
});
