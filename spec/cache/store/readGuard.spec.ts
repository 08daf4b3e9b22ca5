import { describe, expect, it } from '@jest/globals';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { type Forbidding, readGuard } from '../../../src/cache/store/readGuard.js';
import { readerOf } from '../../../src/cache/store/store.js';

interface Item {
  readonly metadata: { readonly name: string };
}

const item: Item = { metadata: { name: 'a' } };

function filled() {
  const indexer = createIndexer<Item>({ indexers: { first: ({ metadata }) => [metadata.name.slice(0, 1)] } });
  indexer.replace([item], '7');
  return indexer;
}

/** Each read of objects, and its expected result. */
const reads = {
  list: [(indexer: Reader) => indexer.list(), [item]],
  listKeys: [(indexer: Reader) => indexer.listKeys(), ['a']],
  get: [(indexer: Reader) => indexer.get(item), item],
  getByKey: [(indexer: Reader) => indexer.getByKey('a'), item],
  index: [(indexer: Reader) => indexer.index('first', item), [item]],
  indexKeys: [(indexer: Reader) => indexer.indexKeys('first', 'a'), ['a']],
  listIndexFuncValues: [(indexer: Reader) => indexer.listIndexFuncValues('first'), ['a']],
  byIndex: [(indexer: Reader) => indexer.byIndex('first', 'a'), [item]],
  byIndexes: [(indexer: Reader) => indexer.byIndexes({ first: 'a' }), [item]],
} as const;
type Reader = ReturnType<typeof readerOf<Item>>;
const cases = Object.entries(reads).map(([name, [read, result]]) => ({ name, read, result }));

const view =
  (name: string): Forbidding =>
  (what) =>
    new TypeError(`${name} ${JSON.stringify(what)}`);

describe('readGuard', () => {
  it.each(cases)('refuses $name while the function of a view runs, and names the view', ({ read, result }) => {
    const indexer = filled();
    expect(read(indexer)).toEqual(result);
    expect(() => readGuard.run(view('backends'), () => read(indexer))).toThrow('backends "read"');
    expect(read(indexer)).toEqual(result);
  });

  it('lets reads through that are tracked, and is there again after them', () => {
    const indexer = filled();
    const readTwice = (): unknown => {
      const tracked = readGuard.run(undefined, () => indexer.list());
      expect(() => indexer.list()).toThrow('backends');
      return tracked;
    };
    expect(readGuard.run(view('backends'), readTwice)).toEqual([item]);
  });

  it('fails a function that has subscribed to something when it returns, and that one alone', () => {
    const subscribing = (): unknown => readGuard.run(view('inner'), () => void (readGuard.misdeed = readGuard.reader?.('subscribe')));
    expect(subscribing).toThrow('inner "subscribe"');
    const outer = (): string => {
      expect(subscribing).toThrow('inner');
      return 'fine';
    };
    expect(readGuard.run(view('outer'), outer)).toBe('fine');
    expect([readGuard.reader, readGuard.misdeed]).toEqual([undefined, undefined]);
  });
});

describe('readerOf', () => {
  it.each(cases)('hands $name on to what is asked for at that read', ({ read, result }) => {
    const [given, asked] = [createIndexer<Item>(), filled()];
    let times = 0;
    const reader = readerOf(given, () => {
      times += 1;
      return asked;
    });
    expect([times, read(reader), times]).toEqual([0, result, 1]);
    expect(read(readerOf(asked))).toEqual(result);
  });

  it('has the index functions and the version of the one that was given, without asking', () => {
    const given = filled();
    const reader = readerOf(given, () => {
      throw new Error('asked');
    });
    expect(reader.lastStoreSyncResourceVersion()).toBe('7');
    expect(Object.keys(reader.getIndexers())).toEqual(['first']);
  });
});
