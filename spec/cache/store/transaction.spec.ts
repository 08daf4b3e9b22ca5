import { describe, expect, it } from '@jest/globals';

import { ExplicitKey, type KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { createStore } from '../../../src/cache/store/memoryStore.js';
import { KeyError } from '../../../src/cache/keyFunc.js';
import type { Store } from '../../../src/cache/store/store.js';
import { transaction, TransactionError, type TransactionStep } from '../../../src/cache/store/transaction.js';

function podOf(name: string, resourceVersion: string): KubernetesObject {
  return { metadata: { name, resourceVersion } };
}

function errorOf(work: () => void): TransactionError {
  try {
    work();
  } catch (error) {
    if (error instanceof TransactionError) return error;
    throw error;
  }
  throw new Error('Expected a TransactionError');
}

describe('transaction', () => {
  it('adds, updates and deletes in the order of the steps, as one change (TX-01)', () => {
    const store = createStore<KubernetesObject>();
    store.add(podOf('a', '1'));
    store.add(podOf('b', '2'));
    transaction(store, [
      { type: 'update', object: podOf('a', '3') },
      { type: 'delete', object: new ExplicitKey('b') },
      { type: 'add', object: podOf('c', '4') },
      { type: 'delete', object: podOf('c', '5') },
      { type: 'add', object: podOf('d', '6') },
    ]);
    expect(store.list()).toEqual([podOf('a', '3'), podOf('d', '6')]);
  });

  it('is told whole: when the error handler of an index reads, all steps are there (TX-01)', () => {
    const seen: string[][] = [];
    const indexer = createIndexer<KubernetesObject>({
      indexers: { broken: () => undefined as unknown as string[] },
      onIndexError: () => seen.push(indexer.listKeys()),
    });
    transaction(indexer, [
      { type: 'add', object: podOf('a', '1') },
      { type: 'add', object: podOf('b', '2') },
    ]);
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('leaves out steps that fail, carries out the others and tells which (TX-02)', () => {
    const indexer = createIndexer<KubernetesObject>({ indexers: { version: (pod) => [pod.metadata?.resourceVersion ?? ''] } });
    const error = errorOf(() =>
      transaction(indexer, [
        { type: 'add', object: podOf('a', '1') },
        { type: 'add', object: {} },
        { type: 'delete', object: {} },
        { type: 'update', object: podOf('b', '2') },
        { type: 'rename', object: podOf('c', '3') } as unknown as TransactionStep<KubernetesObject>,
      ]),
    );
    expect(error).toMatchObject({ name: 'TransactionError', totalSteps: 5, successfulSteps: [0, 3] });
    expect(error.cause).toBe(error.errors[0]);
    expect(error.message).toMatch(
      /^3 of 5 steps of the transaction failed: Unable to compute the key .*; Expected the `type` of a step .* "rename"$/,
    );
    expect(error.errors.map((cause) => cause instanceof KeyError)).toEqual([true, true, false]);
    expect(indexer.listKeys()).toEqual(['a', 'b']);
    expect(indexer.indexKeys('version', '2')).toEqual(['b']);
  });

  it('tells of a failing index function besides failing steps (TX-02)', () => {
    const indexer = createIndexer<KubernetesObject>({
      indexers: {
        broken: () => {
          throw new Error('broken');
        },
      },
    });
    const steps: TransactionStep<KubernetesObject>[] = [{ type: 'add', object: podOf('a', '1') }];
    expect(() => transaction(indexer, steps)).toThrow(expect.objectContaining({ code: 'ERR_INDEX_FUNC' }));
    const error = errorOf(() => transaction(indexer, [...steps, { type: 'add', object: {} }]));
    expect(error.errors).toEqual([expect.any(KeyError), expect.objectContaining({ code: 'ERR_INDEX_FUNC' })]);
    expect(indexer.listKeys()).toEqual(['a']);
  });

  it('stores what the transform makes of an object', () => {
    const store = createStore<KubernetesObject>({ transform: ({ metadata }) => ({ kind: 'Transformed', metadata: metadata ?? {} }) });
    transaction(store, [{ type: 'add', object: podOf('a', '1') }]);
    expect(store.getByKey('a')?.kind).toBe('Transformed');
  });

  it('refuses a store that knows no transactions, and writes nothing (TX-03)', () => {
    const inner = createStore<KubernetesObject>();
    const store = { add: (object: KubernetesObject) => inner.add(object) } as unknown as Store<KubernetesObject>;
    const error = errorOf(() => transaction(store, [{ type: 'add', object: podOf('a', '1') }]));
    expect(error).toMatchObject({
      successfulSteps: [],
      totalSteps: 1,
      message: '1 of 1 steps of the transaction failed: The store has no `transaction` method',
    });
    expect(inner.list()).toEqual([]);
  });

  it('leaves the version of the last object, not the highest (ST-13)', () => {
    const store = createStore<KubernetesObject>();
    transaction(store, [
      { type: 'add', object: podOf('a', '9') },
      { type: 'add', object: podOf('b', '3') },
    ]);
    expect(store.lastStoreSyncResourceVersion()).toBe('3');
    transaction(store, [{ type: 'delete', object: podOf('a', '2') }]);
    expect(store.lastStoreSyncResourceVersion()).toBe('2');
  });
});
