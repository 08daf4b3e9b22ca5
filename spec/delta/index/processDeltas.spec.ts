import { describe, expect, it } from '@jest/globals';
import type { Delta, Deltas } from '../../../src/api/events.js';
import { InformerError } from '../../../src/api/errors/informerError.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import { createDeltaFifo } from '../../../src/delta/fifo/createDeltaFifo.js';
import type { ResourceEventHandler } from '../../../src/delta/resourceEventHandler.js';
import type { ProcessDeltasOptions } from '../../../src/delta/index/processDeltas.js';
import { processDeltas } from '../../../src/delta/index/processDeltas.js';
import { delta, deletion, tombstone } from '../fifo/deltas.js';
import { brief, type Pod, pod } from '../pods.js';

const a1 = pod('a', '1');
const a2 = pod('a', '2');

/** A store and the process that keeps it; `run` hands over deltas, and returns what it tells in brief. */
function setUp(options: ProcessDeltasOptions<Pod> & { stored?: Pod[]; handler?: ResourceEventHandler<Pod> } = {}) {
  const { stored = [], handler, ...rest } = options;
  const indexer = createIndexer<Pod>({ initialObjects: stored });
  const process = processDeltas(indexer, handler, rest);
  const errors: InformerError[] = [];
  const after = (action: () => void) => action();
  const ended: unknown[] = [];
  const fail = (error: unknown) => void ended.push(error);
  const context = { report: (error: InformerError) => errors.push(error), after, isOver: () => false, fail };
  const run = (deltas: Deltas<Pod>, isInInitialList = false) =>
    process(deltas, isInInitialList, context).flatMap(({ events }) => events.map(brief));
  return { indexer, process, run, errors };
}

const stateOf = (indexer: { list(): Pod[] }) => indexer.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? ''}`);

describe('processDeltas', () => {
  it.each<Exclude<Delta<Pod>['type'], 'Deleted'>>(['Added', 'Updated', 'Replaced', 'Sync'])(
    'takes a %s for an addition or an update by what is in the store (CT-06)',
    (type) => {
      const inferred = type === 'Replaced' ? ' inferred' : '';
      const empty = setUp();
      expect(empty.run([delta(type, a1)])).toEqual([`+default/a@1${inferred}`]);
      const full = setUp({ stored: [a1] });
      expect(full.run([delta(type, a2)])).toEqual([`~default/a@2<1${inferred}`]);
      expect([empty, full].map(({ indexer }) => stateOf(indexer))).toEqual([['a@1'], ['a@2']]);
    },
  );

  it('applies the deltas of an object one after the other, and emits what they come to', () => {
    const { indexer, run } = setUp();
    const deltas = [delta('Added', a1), delta('Updated', a2), deletion(pod('a', '3')), delta('Replaced', pod('a', '4'))];
    expect(run(deltas)).toEqual(['+default/a@4 inferred']);
    expect(stateOf(indexer)).toEqual(['a@4']);
  });

  it('says what is in the initial list (DF-12)', () => {
    const { run } = setUp();
    expect(run([delta('Replaced', a1), delta('Updated', a2)], true)).toEqual(['+default/a@2 initial']);
  });

  it('moves the version of the store with what it is told, where no queue knows better', () => {
    const { process, indexer } = setUp({ stored: [a1, pod('b', '9')] });
    const versionAfter = (...deltas: Deltas<Pod>): string => {
      process(deltas, false);
      return indexer.lastStoreSyncResourceVersion();
    };
    expect(versionAfter(deletion(a2))).toBe('2');
    expect(versionAfter(tombstone('default/b'))).toBe('2');
    expect(versionAfter(delta('Added', pod('c', '12')))).toBe('12');
  });

  it('has a version after a list, where that has one, and is synced from then on', () => {
    const { process, indexer } = setUp();
    expect(process([delta('Added', a1)], true)[0]?.synced).toBe(false);
    const boundary = { scope: '', previousResourceVersion: '', synced: true };
    expect(process.listed({ ...boundary, resourceVersion: '7' })).toMatchObject([{ cause: 'list', resourceVersion: '7', synced: true }]);
    expect(process.listed({ ...boundary, resourceVersion: '' })).toMatchObject([{ resourceVersion: '7' }]);
    expect(process([delta('Added', pod('b', '8'))], false)[0]?.synced).toBe(true);
    expect(indexer.lastStoreSyncResourceVersion()).toBe('8');
  });

  it('refuses what is no store, and options that it does not have', () => {
    expect(() => processDeltas({} as never)).toThrow(/^Expected the store of `processDeltas` to be /);
    expect(() => processDeltas(createIndexer<Pod>(), {}, { tranform: () => 0 } as never)).toThrow(
      'Unknown option `tranform` of `processDeltas`; did you mean `transform`?',
    );
  });

  it('knows what could not be transformed, but nothing that the store has refused', () => {
    const unready = setUp({ transform: () => 0 as never });
    unready.run([delta('Added', a1)]);
    expect(unready.process.knownObjects.listKeys()).toEqual(['default/a']);
    expect(unready.process.knownObjects.getByKey('default/a')).toBe(a1);
    unready.run([deletion(a1)]);
    expect(unready.process.knownObjects.listKeys()).toEqual([]);
    const full = Object.assign(Object.create(createIndexer<Pod>()) as Indexer<Pod>, {
      update: () => {
        throw new Error('the disk is full');
      },
    });
    const process = processDeltas<Pod>(full);
    expect(() => process([delta('Added', a1)], false)).toThrow('the disk is full');
    expect(process.knownObjects.listKeys()).toEqual([]);
  });

  it("tells a deletion with the event's final object (CT-08)", () => {
    const { process } = setUp({ stored: [a1] });
    expect(process([deletion(a2)], false).flatMap(({ events }) => events)).toEqual([
      { type: 'deleted', key: 'default/a', object: a2, finalStateUnknown: false, inferred: false },
    ]);
  });

  it('tells a missed deletion with the object that was in the store (CT-08, AF-04)', () => {
    const { process } = setUp({ stored: [a1] });
    expect(process([tombstone('default/a', a2)], false).flatMap(({ events }) => events)).toEqual([
      { type: 'deleted', key: 'default/a', object: a1, finalStateUnknown: true, inferred: true },
    ]);
  });

  it('does not tell the deletion of something that is not in the store (CT-07)', () => {
    const { run } = setUp();
    expect(run([deletion(a1), tombstone('default/a')])).toEqual([]);
  });

  it('leaves out what was added and is not in a later list: nobody has seen it (AF-12)', () => {
    const { run } = setUp();
    expect(run([delta('Added', a1), tombstone('default/a', a1)])).toEqual([]);
  });

  it('changes the store before it calls the handler, and calls it for one change before the next is made (CT-09, CT-13)', () => {
    const seen: unknown[] = [];
    const { indexer, process } = setUp({
      handler: {
        onAdd: (object, isInInitialList) => seen.push(['add', object, isInInitialList, stateOf(indexer)]),
        onUpdate: (oldObject, object) => seen.push(['update', oldObject, object, stateOf(indexer)]),
        onDelete: (object, finalStateUnknown) => seen.push(['delete', object, finalStateUnknown, stateOf(indexer)]),
      },
    });
    process([delta('Added', a1), delta('Updated', a2), tombstone('default/a')], true);
    expect(seen).toEqual([
      ['add', a1, true, ['a@1']],
      ['update', a1, a2, ['a@2']],
      ['delete', a2, true, []],
    ]);
  });

  it('tells another uid under the same name as a deletion and an addition', () => {
    const { indexer, run } = setUp({ stored: [a1] });
    expect(run([delta('Updated', pod('a', '5', { uid: 'other' }))])).toEqual(['-default/a@1 finalStateUnknown inferred', '+default/a@5']);
    expect(run([deletion(pod('a', '7', { uid: 'third' }))])).toEqual(['-default/a@5 finalStateUnknown inferred']);
    expect(stateOf(indexer)).toEqual([]);
  });

  describe('with an object that has not changed', () => {
    it('tells nothing of it', () => {
      const { run } = setUp({ stored: [a1] });
      expect(run([delta('Replaced', pod('a', '1')), delta('Updated', pod('a', '1'))])).toEqual([]);
    });

    it('tells of it in the first list, since nobody has been told, unless told otherwise (EX-03)', () => {
      expect(setUp({ stored: [a1] }).run([delta('Replaced', pod('a', '1'))], true)).toEqual(['~default/a@1<1 inferred']);
      expect(setUp({ stored: [a1], known: true }).run([delta('Replaced', pod('a', '1'))], true)).toEqual([]);
    });

    it('tells of it in a resync (DF-10)', () => {
      const { process, run, indexer } = setUp({ stored: [a1] });
      expect(process.knownObjects.listKeys()).toEqual(['default/a']);
      const known = process.knownObjects.getByKey('default/a') as Pod;
      expect(known).toBe(indexer.getByKey('default/a'));
      expect(run([delta('Sync', known)])).toEqual(['~default/a@1<1 resync']);
      expect(run([delta('Replaced', known)])).toEqual([]);
    });

    it('says why: a resync, where nothing else has happened (DF-10)', () => {
      const { process } = setUp({ stored: [a1, pod('b', '1')] });
      const known = process.knownObjects.getByKey('default/a') as Pod;
      const causes = (...deltas: Deltas<Pod>): string[] => process(deltas, false).map(({ cause }) => cause);
      expect(causes(delta('Sync', known))).toEqual(['resync']);
      expect(causes(delta('Updated', a2))).toEqual(['watch']);
      expect(causes(deletion(pod('b', '2')))).toEqual(['watch']);
      // A queue with keys of its own may hand out several objects at once.
      const [now, other] = [process.knownObjects.getByKey('default/a') as Pod, pod('c', '3')];
      expect(causes(delta('Sync', now), delta('Added', other))).toEqual(['watch']);
    });
  });

  it('shows transformed objects alone, to the store and to handlers (CT-15)', () => {
    const seen: (string | undefined)[] = [];
    let runs = 0;
    const { indexer, run } = setUp({
      transform: (object) => {
        runs += 1;
        return { ...object, value: `of ${object.metadata.resourceVersion ?? ''}` };
      },
      handler: {
        onAdd: (object) => seen.push(object.value),
        onUpdate: (_, object) => seen.push(object.value),
        onDelete: (object) => seen.push(object.value),
      },
    });
    run([delta('Added', a1), delta('Updated', a2)]);
    expect(indexer.getByKey('default/a')?.value).toBe('of 2');
    const known = indexer.getByKey('default/a') as Pod;
    run([delta('Sync', known)]);
    run([tombstone('default/a', known)]);
    expect(seen).toEqual(['of 1', 'of 2', 'of 2', 'of 2']);
    expect(runs).toBe(2);
  });

  it('recognises objects by what was sent, whatever the transform leaves of it', () => {
    const { run } = setUp({
      transform: ({ metadata: { name, namespace }, value }) => ({ metadata: { name, namespace }, ...(value !== undefined && { value }) }),
    });
    expect(run([delta('Added', a1), delta('Updated', a2)])).toEqual(['+default/a@']);
    expect(run([delta('Updated', pod('a', '3', { uid: 'other' }))])).toEqual(['-default/a@ finalStateUnknown inferred', '+default/a@']);
  });

  it('recognises objects by what was sent, even when the transform changes them in place', () => {
    const { run } = setUp({
      transform: (object) => {
        const { uid: _, resourceVersion: __, ...metadata } = object.metadata;
        return Object.assign(object, { metadata });
      },
    });
    run([delta('Added', pod('a', '1'))]);
    expect(run([delta('Updated', pod('a', '3', { uid: 'other' }))])).toEqual(['-default/a@ finalStateUnknown inferred', '+default/a@']);
  });

  describe('with a transform that fails', () => {
    const fails = (object: Pod): Pod => {
      if (object.value === 'bad') throw new Error('cannot');
      return object;
    };
    const bad = (resourceVersion: string) => pod('a', resourceVersion, { value: 'bad' });

    it('keeps the last good value, says so, and recovers', () => {
      const degraded = new Set<string>();
      const { indexer, run, errors } = setUp({ transform: fails, degraded });
      expect(run([delta('Added', a1), delta('Updated', bad('2'))])).toEqual(['+default/a@1']);
      expect(stateOf(indexer)).toEqual(['a@1']);
      expect(errors.map(({ code, key }) => [code, key])).toEqual([['ERR_TRANSFORM', 'default/a']]);
      expect([...degraded]).toEqual(['default/a']);
      expect(run([delta('Updated', pod('a', '3'))])).toEqual(['~default/a@3<1']);
      expect([...degraded]).toEqual([]);
    });

    it('knows an object without a good value, until it has one or is deleted', () => {
      const degraded = new Set<string>();
      const { indexer, process, run } = setUp({ transform: fails, degraded });
      const known = () => [
        process.knownObjects.listKeys(),
        process.knownObjects.getByKey('default/a')?.metadata.resourceVersion,
        [...degraded],
      ];
      run([delta('Replaced', bad('2'))], true);
      expect(known()).toEqual([['default/a'], '2', ['default/a']]);
      expect(indexer.listKeys()).toEqual([]);
      expect(run([deletion(bad('3'))])).toEqual([]);
      expect(known()).toEqual([[], undefined, []]);
      run([delta('Added', bad('4'))]);
      expect(run([delta('Updated', pod('a', '5'))])).toEqual(['+default/a@5']);
      expect(known()).toEqual([['default/a'], '5', []]);
    });

    it('needs no transform for a deletion', () => {
      const { indexer, run } = setUp({ transform: fails });
      expect(run([delta('Added', a1), deletion(bad('2'))])).toEqual([]);
      expect(indexer.listKeys()).toEqual([]);
    });
  });

  it('stores and tells an object whose index function fails, and reports it (IX-07)', () => {
    const broken = () => {
      throw new Error('no index today');
    };
    const errors: InformerError[] = [];
    const ended: unknown[] = [];
    const indexer = createIndexer<Pod>({ indexers: { broken } });
    const events = processDeltas(indexer)([delta('Added', a1)], false, {
      report: (error) => errors.push(error),
      after: (action) => action(),
      isOver: () => false,
      fail: (error) => ended.push(error),
    });
    expect(events.flatMap((change) => change.events.map(brief))).toEqual(['+default/a@1']);
    expect(stateOf(indexer)).toEqual(['a@1']);
    expect(errors.map(({ code }) => code)).toEqual(['ERR_INDEX_FUNC']);
  });

  it('ends the queue with what the store throws', () => {
    const errors: InformerError[] = [];
    const ended: unknown[] = [];
    const indexer = createIndexer<Pod>({ transform: () => undefined as never });
    const events = processDeltas(indexer)([delta('Added', a1)], false, {
      report: (error) => errors.push(error),
      after: (action) => action(),
      isOver: () => false,
      fail: (error) => ended.push(error),
    });
    expect([events, errors]).toEqual([[], []]);
    expect(ended).toEqual([expect.objectContaining({ code: 'ERR_TRANSFORM', key: 'default/a' })]);
  });

  describe('with a handler that throws', () => {
    const handler: ResourceEventHandler<Pod> = {
      onAdd: () => {
        throw new Error('broken handler');
      },
      onUpdate: () => {
        throw new Error('broken too');
      },
    };

    it('goes on, and reports it (CT-04)', () => {
      const { indexer, run, errors } = setUp({ handler });
      expect(run([delta('Added', a1), delta('Updated', a2)])).toEqual(['+default/a@2']);
      expect(stateOf(indexer)).toEqual(['a@2']);
      expect(errors.map(({ code, key, message }) => [code, key, message])).toEqual([
        ['ERR_HANDLER', 'default/a', 'A handler of objects failed when called for `added`: broken handler'],
        ['ERR_HANDLER', 'default/a', 'A handler of objects failed when called for `updated`: broken too'],
      ]);
    });

    it('throws in the end when there is nobody to report to', () => {
      const indexer = createIndexer<Pod>();
      const process = processDeltas(indexer, handler);
      const once = () => process([delta('Added', a1)], false);
      expect(once).toThrow(InformerError);
      expect(stateOf(indexer)).toEqual(['a@1']);
      const twice = () => process([delta('Updated', a2), delta('Updated', pod('a', '3'))], false);
      const message = 'Processing failed 2 times: A handler of objects failed when called for `updated`: broken too, and others';
      expect(twice).toThrow(expect.objectContaining({ name: 'AggregateError', message }));
      expect(stateOf(indexer)).toEqual(['a@3']);
    });
  });

  describe('the version of the store', () => {
    it('is that of the last object when nobody knows better', () => {
      const { indexer, process } = setUp();
      process([delta('Added', a1), delta('Updated', pod('a', '7'))], false);
      expect(indexer.lastStoreSyncResourceVersion()).toBe('7');
      process([tombstone('default/a')], false);
      expect(indexer.lastStoreSyncResourceVersion()).toBe('7');
    });

    it('is the one that the queue says has been reached (AF-09)', () => {
      const { indexer, process, run } = setUp();
      process.caughtUp('5');
      run([delta('Added', pod('a', '9')), deletion(pod('a', '10'))]);
      expect(indexer.lastStoreSyncResourceVersion()).toBe('5');
      process.caughtUp('12');
      expect(indexer.lastStoreSyncResourceVersion()).toBe('12');
      const boundary = { scope: '', resourceVersion: '20', previousResourceVersion: '12' };
      for (const synced of [false, true]) {
        expect(process.listed({ ...boundary, synced })).toEqual([
          { cause: 'list', events: [], scope: '', resourceVersion: '20', previousResourceVersion: '12', synced },
        ]);
      }
      expect(indexer.lastStoreSyncResourceVersion()).toBe('20');
    });
  });

  it('is the process of a pop', async () => {
    const indexer = createIndexer<Pod>();
    const queue = createDeltaFifo<Pod>({ knownObjects: indexer });
    queue.replace([a1, pod('b', '2')]);
    await queue.pop(processDeltas(indexer));
    await queue.pop(processDeltas(indexer));
    queue.replace([pod('b', '2')]);
    while (queue.tryPop(processDeltas(indexer)) !== undefined);
    expect(stateOf(indexer)).toEqual(['b@2']);
  });

  it('names what is wrong with its arguments', () => {
    expect(() => processDeltas({} as never)).toThrow(
      new TypeError(
        'Expected the store of `processDeltas` to be an object with the methods getByKey, listKeys, update and replace, got an object',
      ),
    );
    expect(() => processDeltas(createIndexer<Pod>(), 'handler' as never)).toThrow(
      new TypeError('Expected the handler of `processDeltas` to be an object with onAdd, onUpdate or onDelete, got "handler"'),
    );
    expect(() => processDeltas(createIndexer<Pod>(), { onAdd: 1 } as never)).toThrow(
      new TypeError('Expected `onAdd` of `processDeltas` to be a function, got 1'),
    );
  });
});
