import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import type { ResourceEvent, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { checkOptions } from '../../../src/api/options.js';
import { type BufferPolicy, bufferRules, createEventBuffer } from '../../../src/delta/buffers/eventBuffer.js';
import { Transitions } from '../../../src/delta/buffers/pendingEvents.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { flattenChanges } from '../share/flattenChanges.js';
import { added, brief, createStrictFollower, deleted, list, modified, type Pod, pod } from '../pods.js';

/** A buffer filled by source events, as a consumer would see it that takes events only when asked to. */
function buffered(buffer: BufferPolicy, capacity?: number, scopes?: readonly string[]) {
  const store = createIndexer<Pod>();
  const source = new Subject<SourceEvent<Pod>>();
  const events = createEventBuffer<Pod>({ buffer, capacity }, store);
  const refused: string[] = [];
  source.pipe(scanToIndex(store, { scopes }), flattenChanges()).subscribe((event) => {
    if (!events.push(event)) refused.push(brief(event));
  });
  const send = (...more: readonly SourceEvent<Pod>[]) => {
    for (const event of more) source.next(event);
  };
  const takeRaw = (most = Infinity): ResourceEvent<Pod>[] => {
    const taken: ResourceEvent<Pod>[] = [];
    for (let count = 0; count < most && events.size() > 0; count += 1) {
      const event = events.shift();
      if (event !== undefined) taken.push(event);
    }
    return taken;
  };
  return { store, events, send, refused, takeRaw, take: (most?: number) => takeRaw(most).map(brief) };
}

const a1 = pod('a', '1');
const b2 = pod('b', '2');
/** The pod `a` as a transform leaves it that drops its uid. */
const anonymous = (version: string): Pod => pod('a', version, { uid: '' });

describe('createEventBuffer', () => {
  it.each<[BufferPolicy]>([['unbounded'], ['conflate'], ['catchUp'], ['error']])(
    'keeps the order of what is taken in time: %s',
    (policy) => {
      const { send, take, events } = buffered(policy, 2);
      send(...list('3', [a1, b2]));
      expect(take()).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@3']);
      send(modified(pod('a', '4')), deleted(pod('b', '5')));
      expect(take()).toEqual(['~default/a@4<1', '-default/b@5']);
      expect(events.size()).toBe(0);
      expect(events.shift()).toBeUndefined();
    },
  );

  it.each<[BufferPolicy]>([['catchUp'], ['error']])('does not count a snapshot against the capacity: %s', (policy) => {
    const { send, take, refused } = buffered(policy, 1);
    send(...list('3', [a1, b2, pod('c', '3')]), modified(pod('a', '4')));
    expect(take()).toHaveLength(5);
    expect(refused).toEqual([]);
  });

  it.each([
    [{ buffer: 'everything' }, "Expected `buffer` of `process` to be 'unbounded', 'conflate', 'catchUp' or 'error', got \"everything\""],
    [{ capacity: 0 }, 'Expected `capacity` of `process` to be an integer >= 1, got 0'],
    [{ capacity: 1.5 }, 'Expected `capacity` of `process` to be an integer >= 1, got 1.5'],
  ])('refuses wrong options: %j', (options, message) => {
    expect(() => checkOptions('process', options as never, bufferRules)).toThrow(new TypeError(message));
  });

  it.each<[BufferPolicy]>([['unbounded'], ['conflate'], ['catchUp']])(
    'leads to the content of the store at rest, whatever happens and however slow its consumer is: %s',
    (policy) => {
      const name = fc.constantFrom('a', 'b', 'c');
      const step = fc.oneof(
        fc.record({ kind: fc.constant('list' as const), names: fc.uniqueArray(name) }),
        fc.record({
          kind: fc.constantFrom('added' as const, 'modified' as const, 'deleted' as const),
          name,
          uid: fc.constantFrom('u', 'v'),
        }),
        fc.record({ kind: fc.constant('take' as const), most: fc.nat({ max: 3 }) }),
      );
      fc.assert(
        fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (steps, capacity) => {
          const { store, send, takeRaw, refused } = buffered(policy, capacity);
          const follower = createStrictFollower<Pod>();
          let version = 1;
          const next = (): string => String((version += 1));
          send(...list(next(), [a1]));
          for (const todo of steps) {
            if (todo.kind === 'take') takeRaw(todo.most).forEach(follower.follow);
            else if (todo.kind === 'list') {
              const objects = todo.names.map((listed) => pod(listed, next()));
              send(...list(next(), objects));
            } else send({ added, modified, deleted }[todo.kind](pod(todo.name, next(), { uid: todo.uid })));
          }
          takeRaw().forEach(follower.follow);
          const cached = new Map(store.listKeys().map((key) => [key, store.getByKey(key)]));
          expect({ known: follower.known, misfits: follower.misfits, refused }).toEqual({ known: cached, misfits: [], refused: [] });
        }),
        { numRuns: 300 },
      );
    },
  );
});

describe('unbounded', () => {
  it('keeps everything (SP-01, SP-02)', () => {
    const { send, take } = buffered('unbounded');
    send(...list('1', [a1]), ...Array.from({ length: 3000 }, (_, index) => modified(pod('a', String(index + 2)))));
    expect(take()).toHaveLength(3002);
  });
});

describe('error', () => {
  it('refuses an event for which there is no room', () => {
    const { send, refused, take } = buffered('error', 2);
    send(...list('1', [a1]), modified(pod('a', '2')), modified(pod('a', '3')));
    expect(refused).toEqual([]);
    send(modified(pod('a', '4')));
    expect(refused).toEqual(['~default/a@4<3']);
    take(3);
    send(modified(pod('a', '5')));
    expect(refused).toHaveLength(1);
  });
});

describe('conflate', () => {
  it('has nothing waiting of an object that came and went', () => {
    const { send, take, events } = buffered('conflate');
    send(...list('1', []));
    take();
    send(added(a1), deleted(pod('a', '2')));
    expect([events.size(), events.shift()]).toEqual([0, undefined]);
  });

  it('drops the second half of a recreation with everything else', () => {
    const { send, take, events } = buffered('conflate');
    send(...list('1', [a1]));
    take();
    send(deleted(pod('a', '2')), added(pod('a', '3', { uid: 'again' })));
    expect([take(1), events.size()]).toEqual([['-default/a@2'], 1]);
    events.clear();
    expect([events.size(), events.shift()]).toEqual([0, undefined]);
  });

  it('merges updates into one, from what its consumer knows to what is', () => {
    const { send, take, takeRaw } = buffered('conflate');
    send(...list('1', [a1, b2]));
    take();
    send(modified(pod('a', '3')), modified(pod('b', '4')), modified(pod('a', '5')));
    expect(takeRaw()).toEqual([
      { type: 'updated', key: 'default/a', object: pod('a', '5'), oldObject: a1, resync: false, inferred: false },
      { type: 'updated', key: 'default/b', object: pod('b', '4'), oldObject: b2, resync: false, inferred: false },
    ]);
  });

  it('merges an update into an addition that has not been taken', () => {
    const { send, take } = buffered('conflate');
    send(...list('1', [a1]), modified(pod('a', '3')));
    expect(take()).toEqual(['+default/a@3 initial', 'synced@1']);
  });

  it('does not tell what came and went', () => {
    const { send, take } = buffered('conflate');
    send(...list('1', []));
    take();
    send(added(a1), modified(pod('a', '2')), deleted(pod('a', '3')));
    expect(take()).toEqual([]);
  });

  it('tells the last delete of what was known, and a successor after it', () => {
    const { send, take } = buffered('conflate');
    send(...list('1', [a1, b2]));
    take();
    send(modified(pod('a', '3')), deleted(pod('a', '4')), deleted(pod('b', '5')), added(pod('b', '6', { uid: 'other' })));
    expect(take()).toEqual(['-default/a@4', '-default/b@5', '+default/b@6']);
    send(deleted(pod('b', '7', { uid: 'other' })), added(pod('b', '8')), modified(pod('b', '9')), deleted(pod('b', '10')));
    expect(take()).toEqual(['-default/b@7']);
  });

  it('tells the last deletion of an object that had only left, and come back', () => {
    const { send, take, takeRaw } = buffered('conflate');
    const left = { ...deleted(pod('a', '2')), resourceVersion: '', reason: 'moved' } as SourceEvent<Pod>;
    send(...list('1', [a1, b2]));
    take();
    send(left, added(pod('a', '3')), deleted(pod('a', '4')));
    expect(takeRaw()).toEqual([{ type: 'deleted', key: 'default/a', object: pod('a', '4'), finalStateUnknown: false, inferred: false }]);
    send({ ...deleted(pod('b', '5')), reason: 'moved' } as SourceEvent<Pod>, added(pod('b', '6', { uid: 'other' })));
    send(deleted(pod('b', '7', { uid: 'other' })));
    expect(takeRaw()).toMatchObject([{ type: 'deleted', object: b2, reason: 'moved' }]);
  });

  it('tells the deletion of what its consumer has, also of values without a uid', () => {
    const { send, take } = buffered('conflate');
    send(...list('1', [anonymous('1')]));
    take();
    send(deleted(anonymous('2')), added(anonymous('3')), deleted(anonymous('4')));
    expect(take()).toEqual(['-default/a@2']);
  });

  it('keeps one boundary, behind everything before it', () => {
    const { send, takeRaw, take } = buffered('conflate');
    send(...list('1', [a1]));
    take();
    send(...list('5', [a1, b2]), ...list('9', [a1, b2, pod('c', '8')]));
    const taken = takeRaw();
    expect(taken.map(brief)).toEqual(['+default/b@2 inferred', '+default/c@8 inferred', 'synced@9']);
    expect(taken.at(-1)).toEqual({ type: 'synced', resourceVersion: '9', previousResourceVersion: '1' });
  });

  it('does not let a resync hide a change, nor tell it as more than it is', () => {
    const store = createIndexer<Pod>();
    const events = createEventBuffer<Pod>({ buffer: 'conflate' }, store);
    const resync = (object: Pod): ResourceEvent<Pod> => ({
      type: 'updated',
      key: 'default/a',
      object,
      oldObject: object,
      resync: true,
      inferred: false,
    });
    const a2 = pod('a', '2');
    events.push(resync(a1));
    events.push({ type: 'updated', key: 'default/a', object: a2, oldObject: a1, resync: false, inferred: false });
    events.push(resync(a2));
    expect(events.shift()).toEqual({ type: 'updated', key: 'default/a', object: a2, oldObject: a1, resync: false, inferred: false });
    events.push(resync(a2));
    events.push(resync(a2));
    expect(events.shift()).toEqual(resync(a2));
    expect(events.size()).toBe(0);
  });

  it('takes time in proportion to what is taken, however much waits', () => {
    const store = createIndexer<Pod>();
    const events = createEventBuffer<Pod>({ buffer: 'conflate' }, store);
    const count = 100_000;
    for (let index = 0; index < count; index += 1) {
      events.push({ type: 'added', key: `k${index}`, object: a1, initial: false, inferred: false });
    }
    let taken = 0;
    while (events.shift() !== undefined) taken += 1;
    expect(taken).toBe(count);
  });
});

describe('catchUp', () => {
  it('drops everything at an overflow, then tells the difference between what was taken and what is', () => {
    const { send, take, takeRaw } = buffered('catchUp', 2);
    send(...list('5', [a1, b2, pod('c', '3'), pod('d', '4')]));
    take();
    send(
      modified(pod('a', '6')),
      modified(pod('a', '7')),
      deleted(pod('b', '8')),
      added(pod('e', '9')),
      modified(pod('d', '10', { uid: 'new' })),
    );
    const events = takeRaw();
    expect(events.map(brief)).toEqual([
      '-default/b@2 finalStateUnknown inferred',
      '-default/d@4 finalStateUnknown inferred',
      '~default/a@7<1 inferred',
      '+default/d@10 inferred',
      '+default/e@9 inferred',
      'synced@10',
    ]);
    expect(events.find(({ type }) => type === 'updated')).toMatchObject({ oldObject: a1 });
    expect(events.at(-1)).toMatchObject({ previousResourceVersion: '5' });
    send(modified(pod('a', '11')));
    expect(take()).toEqual(['~default/a@11<7']);
  });

  it('tells why objects have left that it drops, unless they have come back or been deleted since', () => {
    const { send, take, takeRaw } = buffered('catchUp', 1);
    const left = (name: string, version: string, uid?: string): SourceEvent<Pod> =>
      ({ ...deleted(pod(name, version, { ...(uid !== undefined && { uid }) })), resourceVersion: '', reason: 'moved' }) as SourceEvent<Pod>;
    send(...list('5', [a1, b2, pod('c', '3'), pod('d', '4')]));
    take();
    send(left('a', '1'), left('b', '2'), added(pod('b', '6')), deleted(pod('b', '7')), left('c', '3'), added(pod('c', '8')));
    send(deleted(pod('d', '9')), added(pod('d', '10', { uid: 'other' })), left('d', '10', 'other'));
    expect(takeRaw().map((event) => [brief(event), 'reason' in event ? event.reason : ''])).toEqual([
      ['-default/a@1 finalStateUnknown inferred', 'moved'],
      ['-default/b@2 finalStateUnknown inferred', ''],
      ['-default/d@4 finalStateUnknown inferred', ''],
      ['~default/c@8<3 inferred', ''],
      ['synced@10', ''],
    ]);
    send(modified(pod('c', '11')), deleted(pod('c', '12')));
    expect(takeRaw()).not.toContainEqual(expect.objectContaining({ reason: 'moved' }));
  });

  it('tells that a value without a uid is another one when it was deleted meanwhile', () => {
    const { send, take } = buffered('catchUp', 1);
    send(...list('1', [anonymous('1')]));
    take();
    send(deleted(anonymous('2')), added(anonymous('3')), modified(anonymous('4')));
    expect(take()).toEqual(['-default/a@1 finalStateUnknown inferred', '+default/a@4 inferred', 'synced@4']);
    send(modified(anonymous('5')), modified(anonymous('6')));
    expect(take()).toEqual(['~default/a@6<4 inferred', 'synced@6']);
  });

  it('has room again for what is taken', () => {
    const { send, take } = buffered('catchUp', 1);
    send(...list('1', [a1]));
    take();
    for (let version = 2; version < 6; version += 1) {
      send(modified(pod('a', String(version))));
      expect(take()).toEqual([`~default/a@${version}<${version - 1}`]);
    }
  });

  it.each<[string, (buffer: ReturnType<typeof buffered>) => void]>([
    ['a difference has been taken', ({ send }) => send(...[2, 3, 4].map((version) => modified(pod('a', String(version)))))],
    ['a boundary has been taken before a change', ({ send }) => send(...list('3', [a1]), modified(pod('a', '4')))],
  ])('has room for as much as it is to, and no more, when %s', (_, begin) => {
    const buffer = buffered('catchUp', 2);
    const { send, take } = buffer;
    send(...list('1', [a1]));
    take();
    begin(buffer);
    take();
    send(modified(pod('a', '5')), modified(pod('a', '6')));
    expect(take()).toEqual(['~default/a@5<4', '~default/a@6<5']);
    send(modified(pod('a', '7')), modified(pod('a', '8')), modified(pod('a', '9')));
    expect(take()).toEqual(['~default/a@9<6 inferred', 'synced@9']);
  });

  it('is not synced by a difference before all scopes are', () => {
    const { send, take } = buffered('catchUp', 1, ['n', 'm']);
    const inN = (version: string): Pod => pod('a', version, { namespace: 'n' });
    send(...list('1', [inN('1')], 'n'), modified(inN('2'), 'n'), modified(inN('3'), 'n'));
    expect(take()).toEqual(['+n/a@3 initial inferred']);
    send(...list('4', [], 'm'));
    expect(take()).toEqual(['synced@4']);
  });

  it('takes the difference when it is asked for, and from what has been taken by then', () => {
    const { send, take } = buffered('catchUp', 1);
    send(...list('5', [a1, b2]));
    expect(take(1)).toEqual(['+default/a@1 initial']);
    send(modified(pod('a', '6')), modified(pod('a', '7')));
    send(deleted(pod('a', '8')));
    expect(take()).toEqual(['-default/a@1 finalStateUnknown inferred', '+default/b@2 initial inferred', 'synced@8']);
  });
});

describe('Transitions', () => {
  it('know how an object has ended, unless they are told otherwise', () => {
    const states = [undefined, true].map((finalStateUnknown) => {
      const transitions = new Transitions<Pod>({
        initial: false,
        inferred: false,
        ...(finalStateUnknown === true && { finalStateUnknown }),
      });
      transitions.add('default/a', pod('a', '1'), undefined);
      return transitions.events().map(brief);
    });
    expect(states).toEqual([['-default/a@1'], ['-default/a@1 finalStateUnknown']]);
  });
});
