import { describe, expect, it } from '@jest/globals';
import { Subject, of } from 'rxjs';
import type { Deltas } from '../../../src/api/events.js';
import { InformerError } from '../../../src/api/errors/informerError.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { KeyError } from '../../../src/cache/keyFunc.js';
import { DeletedFinalStateUnknown, ExplicitKey } from '../../../src/api/kubernetesObject.js';
import { createDeltaFifo, type DeltaFifo, type DeltaFifoStoreOptions } from '../../../src/delta/fifo/createDeltaFifo.js';
import { processDeltas } from '../../../src/delta/index/processDeltas.js';
import { RequeueError } from '../../../src/delta/fifo/deltaProcessor.js';
import { briefDeltas, delta, deletion, tombstone } from './deltas.js';
import { type Pod, pod } from '../pods.js';

const noop = () => undefined;

/** What the queue holds, in brief. */
const held = (queue: DeltaFifo<Pod>) => queue.list().map(briefDeltas);

const setUp = (options: DeltaFifoStoreOptions<Pod> & { known?: Pod[] } = {}) => {
  const { known, ...rest } = options;
  const indexer = createIndexer<Pod>(known === undefined ? {} : { initialObjects: known });
  return { indexer, queue: createDeltaFifo<Pod>({ ...(known !== undefined && { knownObjects: indexer }), ...rest }) };
};

/** Takes everything that is queued, and tells it in brief. */
function drain(queue: DeltaFifo<Pod>): string[] {
  const items: string[] = [];
  while (queue.tryPop((deltas) => items.push(briefDeltas(deltas))) !== undefined);
  return items;
}

const a1 = pod('a', '1');
const b2 = pod('b', '2');
const c3 = pod('c', '3');

describe('createDeltaFifo', () => {
  it('keeps for each key an ordered list of typed deltas (DF-02)', () => {
    const { queue } = setUp({ known: [pod('r', '1')] });
    queue.add(a1);
    queue.update(pod('a', '2'));
    queue.delete(pod('a', '3'));
    queue.resync();
    queue.replace([pod('a', '4')]);
    expect(queue.list()).toEqual([
      [delta('Added', a1), delta('Updated', pod('a', '2')), deletion(pod('a', '3')), delta('Replaced', pod('a', '4'))],
      [delta('Sync', pod('r', '1')), tombstone('default/r', pod('r', '1'))],
    ]);
  });

  it('queues a key once, at the place of its first delta, and hands all of it out at once (DF-03)', () => {
    const { queue } = setUp();
    for (const object of [a1, b2, c3]) queue.add(object);
    queue.update(pod('b', '5'));
    queue.update(pod('a', '6'));
    expect(queue.listKeys()).toEqual(['default/a', 'default/b', 'default/c']);
    expect(drain(queue)).toEqual(['Added a@1, Updated a@6', 'Added b@2, Updated b@5', 'Added c@3']);
    expect(queue.listKeys()).toEqual([]);
  });

  it("keeps the latest state alone with 'latest', at the same place (FF-01)", () => {
    const { queue } = setUp({ compress: 'latest' });
    queue.add(a1);
    queue.add(b2);
    queue.update(pod('a', '5'));
    expect(drain(queue)).toEqual(['Added a@5', 'Added b@2']);
  });

  it('keeps the older of two adjacent deletions (DF-04)', () => {
    const { queue } = setUp({ known: [a1] });
    queue.delete(pod('a', '5'));
    queue.delete(pod('a', '6'));
    queue.replace([]);
    expect(held(queue)).toEqual(['Deleted a@5']);
  });

  it('keeps a deletion that was seen rather than an older one that a list has shown (DF-04)', () => {
    const { queue } = setUp({ known: [a1] });
    queue.replace([]);
    queue.delete(pod('a', '6'));
    expect(held(queue)).toEqual(['Deleted a@6']);
  });

  describe('when something is deleted', () => {
    it('ignores what is neither queued nor known (DF-05)', () => {
      const { queue } = setUp({ known: [a1] });
      queue.delete(b2);
      expect(held(queue)).toEqual([]);
      queue.delete(a1);
      expect(held(queue)).toEqual(['Deleted a@1']);
    });

    it('looks at the queue alone without known objects (DF-05)', () => {
      const { queue } = setUp();
      queue.delete(a1);
      queue.add(b2);
      queue.delete(b2);
      expect(held(queue)).toEqual(['Added b@2, Deleted b@2']);
    });

    it('queues it when the known object cannot be looked up (DF-05)', () => {
      const knownObjects = {
        listKeys: () => [],
        getByKey: () => {
          throw new Error('no answer');
        },
      };
      const queue = createDeltaFifo<Pod>({ knownObjects });
      queue.delete(a1);
      expect(held(queue)).toEqual(['Deleted a@1']);
    });

    it('takes tombstones and explicit keys', () => {
      const { queue } = setUp({ known: [a1, b2] });
      queue.delete(new DeletedFinalStateUnknown('default/a', a1));
      queue.delete(new ExplicitKey('default/b'));
      expect(queue.list()).toEqual([[tombstone('default/a', a1)], [tombstone('default/b')]]);
    });

    it('counts what is being processed as known, and does not tell its deletion twice', async () => {
      const { queue, indexer } = setUp({ known: [] });
      const gate = new Subject<never>();
      queue.add(a1);
      const popped = queue.pop(() => gate);
      expect(indexer.listKeys()).toEqual([]);
      queue.delete(pod('a', '5'));
      expect(held(queue)).toEqual(['Deleted a@5']);
      gate.complete();
      await popped;
      const second = new Subject<never>();
      const deleted = queue.pop(() => second);
      queue.delete(pod('a', '6'));
      expect(held(queue)).toEqual([]);
      second.complete();
      await deleted;
    });
  });

  describe('when it is told a complete list', () => {
    it('queues the objects of the list, then deletions (DF-06)', () => {
      const { queue } = setUp({ known: [b2, c3] });
      queue.replace([a1, pod('c', '8')], '9');
      expect(held(queue)).toEqual(['Replaced a@1', 'Replaced c@8', 'Deleted b@2?']);
    });

    it('queues them as Sync if that is wanted (DF-06)', () => {
      const { queue } = setUp({ emitDeltaTypeReplaced: false });
      queue.replace([a1]);
      expect(held(queue)).toEqual(['Sync a@1']);
    });

    it('deletes what is queued with its newest state, and what is known with the known one (DF-07)', () => {
      const { queue } = setUp({ known: [pod('q', '1'), b2, c3] });
      queue.add(a1);
      queue.update(pod('a', '4'));
      queue.update(pod('q', '5'));
      queue.replace([c3]);
      expect(held(queue)).toEqual(['Added a@1, Updated a@4, Deleted a@4?', 'Updated q@5, Deleted q@5?', 'Replaced c@3', 'Deleted b@2?']);
    });

    it('deletes with a missed state only once, whatever was found out before (RF-05)', () => {
      const { queue } = setUp({ known: [a1, b2] });
      queue.delete(pod('a', '5'));
      queue.replace([]);
      queue.replace([]);
      expect(queue.list()).toEqual([[deletion(pod('a', '5'))], [tombstone('default/b', b2)]]);
    });

    it.each<[string, () => Pod | undefined]>([
      ['is gone', () => undefined],
      [
        'cannot be read',
        () => {
          throw new Error('no answer');
        },
      ],
    ])('deletes without a state when the known object %s (DF-08)', (_, getByKey) => {
      const errors: InformerError[] = [];
      const queue = createDeltaFifo<Pod>({
        knownObjects: { listKeys: () => ['default/a'], getByKey },
        onError: (error) => errors.push(error),
      });
      queue.replace([]);
      expect(queue.list()).toEqual([[tombstone('default/a')]]);
      expect(errors.map(({ code, key }) => [code, key])).toEqual(_ === 'is gone' ? [] : [['ERR_KEY', 'default/a']]);
    });

    it('keeps a queued deletion and what the list brings under its key (DF-09)', () => {
      const { queue } = setUp({ known: [a1] });
      queue.delete(pod('a', '5'));
      queue.replace([pod('a', '7')]);
      expect(held(queue)).toEqual(['Deleted a@5, Replaced a@7']);
    });

    it('deletes what is being processed and is not in the list', async () => {
      const { queue } = setUp({ known: [] });
      const gate = new Subject<never>();
      queue.add(a1);
      const popped = queue.pop(() => gate);
      queue.replace([]);
      expect(queue.list()).toEqual([[tombstone('default/a', a1)]]);
      gate.complete();
      await popped;
    });

    it('takes all of it or nothing', () => {
      const { queue } = setUp({ known: [a1] });
      const keyless = { metadata: {} } as unknown as Pod;
      expect(() => queue.replace([b2, keyless])).toThrow(KeyError);
      expect(held(queue)).toEqual([]);
      expect(queue.hasSynced()).toBe(false);
    });

    it('keeps both states when a key comes twice', () => {
      const { queue } = setUp();
      queue.replace([a1, b2, pod('a', '4')]);
      expect(held(queue)).toEqual(['Replaced a@1, Replaced a@4', 'Replaced b@2']);
    });
  });

  describe('when it is resynced', () => {
    it('queues each known object about which nothing is queued (DF-10, RF-08)', () => {
      const { queue } = setUp({ known: [a1, b2] });
      queue.update(pod('a', '5'));
      queue.resync();
      queue.resync();
      expect(held(queue)).toEqual(['Updated a@5', 'Sync b@2']);
    });

    it('does nothing without known objects, and skips those that it cannot get (DF-10)', () => {
      const { queue } = setUp();
      queue.resync();
      expect(held(queue)).toEqual([]);
      const half = createDeltaFifo<Pod>({
        knownObjects: { listKeys: () => ['default/a', 'default/b'], getByKey: (key) => (key === 'default/b' ? b2 : undefined) },
      });
      half.resync();
      expect(held(half)).toEqual(['Sync b@2']);
    });

    it('does not queue the old state of an object while a newer one is being processed', async () => {
      const { queue } = setUp({ known: [a1] });
      const gate = new Subject<never>();
      queue.update(pod('a', '5'));
      const popped = queue.pop(() => gate);
      queue.resync();
      expect(held(queue)).toEqual([]);
      gate.complete();
      await popped;
    });
  });

  describe('hasSynced', () => {
    it.each<[string, (queue: DeltaFifo<Pod>) => void, boolean]>([
      ['is false before anything', noop, false],
      ['is true when an addition came first', (queue) => queue.add(a1), true],
      ['is true when an update came first', (queue) => queue.update(a1), true],
      ['is true when a deletion came first', (queue) => queue.delete(a1), true],
      ['is true after an empty list', (queue) => queue.replace([]), true],
      ['is false after a list', (queue) => queue.replace([a1]), false],
      [
        'is true when a list came later',
        (queue) => {
          queue.add(a1);
          queue.replace([b2]);
        },
        true,
      ],
    ])('%s (FF-04, DF-11)', (_, act, expected) => {
      const { queue } = setUp();
      act(queue);
      expect(queue.hasSynced()).toBe(expected);
    });

    it('counts the keys of the first list and its deletions, whatever is popped (DF-11, FF-04)', () => {
      const { queue } = setUp({ known: [c3] });
      queue.replace([a1, b2, pod('a', '4')]);
      queue.add(pod('later', '9'));
      const seen: boolean[] = [];
      while (queue.tryPop(noop) !== undefined) seen.push(queue.hasSynced());
      expect(seen).toEqual([false, false, true, true]);
    });

    it('becomes true only when the last initial item has been processed, which is still told to be one (RF-09, DF-12)', () => {
      const { queue } = setUp();
      queue.replace([a1, b2]);
      const seen: [boolean, boolean][] = [];
      const process = (_: Deltas<Pod>, isInInitialList: boolean) => seen.push([isInInitialList, queue.hasSynced()]);
      queue.tryPop(process);
      queue.tryPop(process);
      queue.add(c3);
      queue.tryPop(process);
      expect(seen).toEqual([
        [true, false],
        [true, false],
        [false, true],
      ]);
    });

    it('stays false while an asynchronous process runs (AF-11, DF-13)', async () => {
      const { queue } = setUp();
      queue.replace([a1]);
      const gate = new Subject<never>();
      const popped = queue.pop(() => gate);
      expect(queue.hasSynced()).toBe(false);
      gate.complete();
      await popped;
      expect(queue.hasSynced()).toBe(true);
    });

    it('counts an item that failed', () => {
      const { queue } = setUp();
      queue.replace([a1]);
      const fail = () => {
        throw new Error('no');
      };
      expect(() => queue.tryPop(fail)).toThrow('no');
      expect(queue.hasSynced()).toBe(true);
    });
  });

  describe('keyOf', () => {
    it('is the key of the newest delta, of a tombstone or of an object (DF-14)', () => {
      const queue = createDeltaFifo<Pod>({ keyFunc: ({ metadata }) => `key of ${metadata.name}` });
      expect(queue.keyOf([delta('Added', a1), tombstone('default/other')])).toBe('default/other');
      expect(queue.keyOf(new DeletedFinalStateUnknown('x/y'))).toBe('x/y');
      expect(queue.keyOf(a1)).toBe('key of a');
    });

    it('is an error for no deltas, and for an object without a key (DF-14)', () => {
      const { queue } = setUp();
      expect(() => queue.keyOf([])).toThrow(KeyError);
      expect(() => queue.keyOf([])).toThrow('Expected at least one delta, got an empty array');
      expect(() => queue.keyOf({ metadata: {} } as unknown as Pod)).toThrow(KeyError);
    });

    it('finds what is queued by object, by deltas and by key', () => {
      const { queue } = setUp();
      queue.add(a1);
      for (const found of [queue.get(pod('a', '7')), queue.get([deletion(a1)]), queue.getByKey('default/a')]) {
        expect(found).toEqual([delta('Added', a1)]);
      }
      expect(queue.get(b2)).toBeUndefined();
    });
  });

  it('hands out copies', () => {
    const { queue } = setUp();
    queue.add(a1);
    (queue.list()[0] as unknown[]).length = 0;
    (queue.getByKey('default/a') as unknown[]).length = 0;
    expect(held(queue)).toEqual(['Added a@1']);
  });

  describe('transform', () => {
    const seen: string[] = [];
    const transform = (object: Pod): Pod => {
      seen.push(object.metadata.name);
      if (object.value === 'bad') throw new Error('cannot');
      return { ...object, value: 'transformed' };
    };
    const run = (act: (queue: DeltaFifo<Pod>) => void, options: DeltaFifoStoreOptions<Pod> = {}) => {
      const { queue } = setUp({ known: [pod('k', '1', { value: 'transformed' })], transform, ...options });
      seen.length = 0;
      act(queue);
      return [...seen];
    };

    it('runs once for what is added, updated, deleted and replaced (DF-15, RF-10)', () => {
      const each = (queue: DeltaFifo<Pod>) => {
        queue.add(a1);
        queue.update(a1);
        queue.delete(a1);
        queue.replace([a1, pod('k', '2')]);
      };
      expect(run(each)).toEqual(['a', 'a', 'a', 'a', 'k']);
      expect(run((queue) => queue.replace([a1]), { emitDeltaTypeReplaced: false })).toEqual(['a']);
    });

    it('does not run for tombstones and resyncs (DF-15, RF-10)', () => {
      expect(run((queue) => queue.resync())).toEqual([]);
      expect(run((queue) => queue.replace([]))).toEqual([]);
      expect(run((queue) => queue.delete(new DeletedFinalStateUnknown('default/k', a1)))).toEqual([]);
    });

    it('sees to it that the transformed object is queued', () => {
      const { queue } = setUp({ transform });
      queue.add(a1);
      expect(queue.list()).toEqual([[delta('Added', { ...a1, value: 'transformed' })]]);
    });

    it('throws what it failed with, and queues nothing (DF-15)', () => {
      const { queue } = setUp({ transform });
      const bad = pod('x', '1', { value: 'bad' });
      for (const act of [() => queue.add(bad), () => queue.update(bad), () => queue.replace([a1, bad]), () => queue.delete(bad)]) {
        expect(act).toThrow(expect.objectContaining({ code: 'ERR_TRANSFORM', key: 'default/x' }));
      }
      expect(held(queue)).toEqual([]);
      expect(() => createDeltaFifo<Pod>({ transform: () => undefined as unknown as Pod }).add(a1)).toThrow(
        'Expected the transform to return an object for default/a, got undefined',
      );
    });
  });

  describe('pop', () => {
    it('resolves with the item when it has been processed', async () => {
      const { queue } = setUp();
      queue.add(a1);
      const order: string[] = [];
      const popped = queue.pop((deltas) => order.push(briefDeltas(deltas)));
      expect(order).toEqual(['Added a@1']);
      expect(await popped).toEqual([delta('Added', a1)]);
    });

    it('waits until there is something, and serves those who wait in turn', async () => {
      const { queue } = setUp();
      const first = queue.pop(noop);
      const second = queue.pop(noop);
      queue.add(a1);
      queue.add(b2);
      expect((await first)[0]?.key).toBe('default/a');
      expect((await second)[0]?.key).toBe('default/b');
    });

    it.each<[string, (queue: DeltaFifo<Pod>) => void, string]>([
      ['an addition', (queue) => queue.add(b2), 'Added b@2'],
      ['an update', (queue) => queue.update(b2), 'Updated b@2'],
      ['a deletion', (queue) => queue.delete(a1), 'Deleted a@1'],
      ['a list', (queue) => queue.replace([a1]), 'Replaced a@1'],
      ['a resync', (queue) => queue.resync(), 'Sync a@1'],
      ['what is put back', (queue) => queue.addIfNotPresent([delta('Added', b2)]), 'Added b@2'],
    ])('hands %s to who waits, at once', (_, act, expected) => {
      const { queue } = setUp({ known: [a1] });
      const order: string[] = [];
      void queue.pop((deltas) => order.push(briefDeltas(deltas)));
      act(queue);
      expect(order).toEqual([expected]);
    });

    it('says of an item whether it is of the first list', async () => {
      const { queue } = setUp();
      queue.replace([a1]);
      queue.add(b2);
      const initial: boolean[] = [];
      for (let times = 0; times < 2; times += 1) await queue.pop((__, isInInitialList) => initial.push(isInInitialList));
      expect(initial).toEqual([true, false]);
    });

    it('serves who waits when an item has been taken by tryPop', () => {
      const { queue } = setUp();
      queue.add(a1);
      queue.add(b2);
      const order: string[] = [];
      queue.tryPop((deltas) => {
        void queue.pop((later) => order.push(briefDeltas(later)));
        order.push(briefDeltas(deltas));
      });
      expect(order).toEqual(['Added a@1', 'Added b@2']);
    });

    it('processes one item at a time, and producers do not wait for it (AF-11, DF-17)', async () => {
      const { queue } = setUp();
      const gates = [new Subject<void>(), new Subject<void>()];
      const started: string[] = [];
      const pops = gates.map((gate) =>
        queue.pop((deltas) => {
          started.push(briefDeltas(deltas));
          return gate;
        }),
      );
      queue.add(a1);
      queue.add(b2);
      queue.update(pod('b', '5'));
      expect(started).toEqual(['Added a@1']);
      expect(queue.tryPop(noop)).toBeUndefined();
      gates[0]?.complete();
      await pops[0];
      expect(started).toEqual(['Added a@1', 'Added b@2, Updated b@5']);
      gates[1]?.complete();
      await pops[1];
    });

    it('waits for promises and observables', async () => {
      const { queue } = setUp();
      queue.replace([a1, b2]);
      await queue.pop(() => Promise.resolve());
      await queue.pop(() => of(1, 2));
      expect(queue.hasSynced()).toBe(true);
    });

    it.each<[string, () => unknown]>([
      [
        'throws',
        () => {
          throw new Error('broken');
        },
      ],
      ['rejects', () => Promise.reject(new Error('broken'))],
    ])('rejects with the error of a process that %s, and the item is lost (DF-16)', async (_, process) => {
      const { queue } = setUp();
      queue.add(a1);
      await expect(queue.pop(process)).rejects.toThrow('broken');
      expect(held(queue)).toEqual([]);
      queue.add(b2);
      expect(await queue.pop(noop)).toEqual([delta('Added', b2)]);
    });

    it('rejects when the queue is closed, waiting or not (FF-05)', async () => {
      const { queue } = setUp();
      const waiting = queue.pop(noop);
      expect(queue.isClosed()).toBe(false);
      queue.close();
      expect(queue.isClosed()).toBe(true);
      await expect(waiting).rejects.toThrow(InformerError);
      await expect(queue.pop(noop)).rejects.toMatchObject({
        code: 'ERR_STOPPED',
        message: 'The queue is closed, and nothing is left in it',
      });
    });

    it('hands out what is queued after the queue was closed, also what came later (FF-05)', async () => {
      const { queue } = setUp();
      queue.add(a1);
      queue.close();
      queue.add(b2);
      expect(await queue.pop(noop)).toEqual([delta('Added', a1)]);
      expect(await queue.pop(noop)).toEqual([delta('Added', b2)]);
      await expect(queue.pop(noop)).rejects.toThrow('The queue is closed');
    });

    it('rejects at the end of a closed queue only when what is being processed has not come back (FF-05)', async () => {
      const { queue } = setUp();
      const gate = new Subject<never>();
      queue.add(a1);
      const first = queue.pop(() => gate);
      const second = queue.pop(noop);
      queue.close();
      gate.error(new RequeueError());
      await expect(first).rejects.toThrow(RequeueError);
      expect(await second).toEqual([delta('Added', a1)]);
    });
  });

  describe('requeueing', () => {
    const again = () => {
      throw new RequeueError();
    };

    it('puts an item back at the end', () => {
      const { queue } = setUp();
      queue.add(a1);
      queue.add(b2);
      expect(() => queue.tryPop(again)).toThrow(RequeueError);
      expect(drain(queue)).toEqual(['Added b@2', 'Added a@1']);
    });

    it('lets something newer take its place', () => {
      const { queue } = setUp();
      queue.add(a1);
      expect(() =>
        queue.tryPop(() => {
          queue.update(pod('a', '5'));
          again();
        }),
      ).toThrow(RequeueError);
      expect(drain(queue)).toEqual(['Updated a@5']);
    });

    it('is what addIfNotPresent does', () => {
      const { queue } = setUp();
      const taken = [delta('Added', a1), delta('Updated', pod('a', '4'))];
      expect(queue.addIfNotPresent(taken)).toBe(true);
      expect(queue.addIfNotPresent([delta('Updated', pod('a', '5'))])).toBe(false);
      queue.update(pod('a', '6'));
      expect(held(queue)).toEqual(['Added a@1, Updated a@4, Updated a@6']);
      expect(taken).toHaveLength(2);
      expect(queue.hasSynced()).toBe(true);
    });
  });

  it('holds nothing of what was popped, after ten thousand objects came and went (RF-12)', () => {
    const { queue, indexer } = setUp({ known: [] });
    const process = processDeltas(indexer);
    for (let at = 0; at < 10_000; at += 1) {
      queue.add(pod(`p${at}`, '1'));
      queue.tryPop(process);
      queue.delete(pod(`p${at}`, '2'));
      queue.tryPop(process);
    }
    expect(indexer.listKeys()).toEqual([]);
    expect([queue.list(), queue.listKeys()]).toEqual([[], []]);
    // Nothing is believed to exist.
    queue.replace([]);
    queue.resync();
    expect(queue.list()).toEqual([]);
  });

  it('names what is wrong with its options and arguments', async () => {
    const bad = (options: unknown) => () => createDeltaFifo(options as DeltaFifoStoreOptions<Pod>);
    expect(bad({ compress: 'all' })).toThrow(
      new TypeError("Expected `compress` of `createDeltaFifo` to be 'duplicateDeletes' or 'latest', got \"all\""),
    );
    expect(bad({ keyFunc: 'name' })).toThrow(new TypeError('Expected `keyFunc` of `createDeltaFifo` to be a function, got "name"'));
    expect(bad({ knownObjects: {} })).toThrow(
      'Expected `knownObjects` of `createDeltaFifo` to be an object with the methods listKeys and getByKey, got',
    );
    expect(bad({ transform: 1 })).toThrow(new TypeError('Expected `transform` of `createDeltaFifo` to be a function, got 1'));
    expect(bad({ emitDeltaTypeReplaced: 'yes' })).toThrow(
      new TypeError('Expected `emitDeltaTypeReplaced` of `createDeltaFifo` to be a boolean, got "yes"'),
    );
    const { queue } = setUp();
    expect(() => queue.add(undefined as unknown as Pod)).toThrow(KeyError);
    expect(() => queue.replace('pods' as unknown as Pod[])).toThrow(new TypeError('Expected `objects` to be an array, got string'));
    expect(() => queue.addIfNotPresent('a' as unknown as Deltas<Pod>)).toThrow('Expected `deltas` to be an array of deltas, got string');
    expect(() => queue.tryPop('process' as unknown as () => void)).toThrow(
      new TypeError('Expected `process` to be a function, got "process"'),
    );
    await expect(queue.pop(1 as unknown as () => void)).rejects.toThrow(new TypeError('Expected `process` to be a function, got 1'));
  });
});
