import { getEventListeners } from 'node:events';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { createManualClock } from '../../src/testing/fakes/manualClock.js';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';
import type { QueueOrder } from '../../src/workqueue/queueOrder.js';
import type { QueueReadings, WorkQueue } from '../../src/workqueue/workQueue.js';

function takeAll<T>(queue: WorkQueue<T>): T[] {
  const items: T[] = [];
  for (let taken = queue.tryGet(); taken !== undefined && !taken.shutdown; taken = queue.tryGet()) items.push(taken.item);
  return items;
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = {};
  // One turn for the promise itself and one for each wrapper around it.
  return (await Promise.race([promise, Promise.resolve().then(() => pending)])) !== pending;
}

describe('createWorkQueue', () => {
  it('hands items out in the order they came (WQ-04)', () => {
    const queue = createWorkQueue<string>();
    for (const item of ['c', 'a', 'b']) queue.add(item);
    expect(takeAll(queue)).toEqual(['c', 'a', 'b']);
  });

  it('queues an item once however often it is added (WQ-02)', () => {
    const queue = createWorkQueue<string>();
    for (const item of ['a', 'b', 'a', 'a']) queue.add(item);
    expect(queue.len()).toBe(2);
    expect(takeAll(queue)).toEqual(['a', 'b']);
  });

  it('holds an item added during its work back until done, and then hands it out once (WQ-02, WQ-03)', () => {
    const queue = createWorkQueue<string>();
    queue.add('a');
    queue.tryGet();
    queue.add('a');
    queue.add('a');
    expect(queue.tryGet()).toBeUndefined();
    expect(queue.state().dirty).toEqual(['a']);

    queue.done('a');
    expect(takeAll(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.tryGet()).toBeUndefined();
  });

  it('counts only what waits (WQ-05)', () => {
    const queue = createWorkQueue<string>();
    queue.add('a');
    queue.add('b');
    queue.tryGet();
    queue.add('a');
    expect(queue.len()).toBe(1);
  });

  it('takes items for the same as a Map does (WQ-01)', () => {
    const queue = createWorkQueue<unknown>();
    const object = {};
    for (const item of [NaN, NaN, 0, -0, object, object, {}, undefined]) queue.add(item);
    expect(takeAll(queue)).toEqual([NaN, 0, object, {}, undefined]);
  });

  it.each([
    ['never taken', () => undefined],
    ['still waiting', (queue: WorkQueue<string>) => queue.add('a')],
    [
      'done before',
      (queue: WorkQueue<string>) => {
        queue.add('a');
        queue.tryGet();
        queue.done('a');
      },
    ],
  ])('refuses done() for an item that was %s, and changes nothing (WQ-09)', (_, prepare) => {
    const queue = createWorkQueue<string>();
    prepare(queue);
    const before = { state: queue.state(), len: queue.len() };
    expect(() => queue.done('a')).toThrow('Expected done() for an item that was taken and is not done yet, got "a"');
    expect({ state: queue.state(), len: queue.len() }).toEqual(before);
  });

  it('refuses a priority that is no finite number', () => {
    const queue = createWorkQueue<string>();
    expect(() => queue.add('a', { priority: NaN })).toThrow(new TypeError('Expected `priority` of `add` to be a finite number, got NaN'));
    expect(queue.len()).toBe(0);
  });

  describe('priority', () => {
    it('goes first, and is told with the item', () => {
      const queue = createWorkQueue<string>();
      queue.add('low', { priority: -100 });
      queue.add('plain');
      queue.add('high', { priority: 5 });
      expect([queue.tryGet(), queue.tryGet(), queue.tryGet()]).toEqual([
        { shutdown: false, item: 'high', priority: 5 },
        { shutdown: false, item: 'plain', priority: 0 },
        { shutdown: false, item: 'low', priority: -100 },
      ]);
    });

    it('is raised by a second add and never lowered', () => {
      const queue = createWorkQueue<string>();
      queue.add('a', { priority: -1 });
      queue.add('b', { priority: 2 });
      queue.add('a', { priority: 3 });
      queue.add('a', { priority: -5 });
      expect(queue.tryGet()).toEqual({ shutdown: false, item: 'a', priority: 3 });
    });

    it('is remembered for an item that is added during its work', () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      queue.tryGet();
      queue.add('a', { priority: 1 });
      queue.add('a', { priority: 7 });
      queue.add('b', { priority: 3 });
      queue.done('a');
      expect(queue.tryGet()).toEqual({ shutdown: false, item: 'a', priority: 7 });
    });

    it('begins afresh once the item was taken', () => {
      const queue = createWorkQueue<string>();
      queue.add('a', { priority: 7 });
      queue.tryGet();
      queue.add('a', { priority: -7 });
      queue.done('a');
      expect(queue.tryGet()).toEqual({ shutdown: false, item: 'a', priority: -7 });
    });
  });

  describe('get', () => {
    it('waits for an item, and serves those who wait in turn (WQ-04)', async () => {
      const queue = createWorkQueue<string>();
      const first = queue.get();
      const second = queue.get();
      expect(await isSettled(first)).toBe(false);
      queue.add('a');
      queue.add('b');
      expect(await Promise.all([first, second])).toEqual([
        { shutdown: false, item: 'a', priority: 0 },
        { shutdown: false, item: 'b', priority: 0 },
      ]);
    });

    it('brings an item that waits at once', async () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      const got = queue.get();
      expect(queue.len()).toBe(0);
      expect(await got).toEqual({ shutdown: false, item: 'a', priority: 0 });
    });

    it('takes nothing after its signal has aborted', async () => {
      const queue = createWorkQueue<string>();
      const controller = new AbortController();
      const got = queue.get({ signal: controller.signal });
      controller.abort(new Error('enough'));
      await expect(got).rejects.toThrow('enough');
      await expect(queue.get({ signal: controller.signal })).rejects.toThrow('enough');
      queue.add('a');
      expect(queue.len()).toBe(1);
    });

    it('keeps what it brought when its signal aborts later', async () => {
      const queue = createWorkQueue<string>();
      const controller = new AbortController();
      const got = queue.get({ signal: controller.signal });
      queue.add('a');
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      controller.abort();
      expect(await got).toEqual({ shutdown: false, item: 'a', priority: 0 });
    });

    it('says shutdown only when the queue is shut down and empty (WQ-04, WQ-06)', async () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      queue.shutDown();
      expect(await queue.get()).toEqual({ shutdown: false, item: 'a', priority: 0 });
      expect(await queue.get()).toEqual({ shutdown: true });
    });

    it('ends for everybody who waits when the queue is shut down', async () => {
      const queue = createWorkQueue<string>();
      const waits = [queue.get(), queue.get()];
      queue.shutDown();
      expect(await Promise.all(waits)).toEqual([{ shutdown: true }, { shutdown: true }]);
    });
  });

  describe('onReady', () => {
    it('calls back inside the add, the done and the shutDown that make something ready', () => {
      const queue = createWorkQueue<string>();
      const calls: string[] = [];
      queue.onReady(() => calls.push(JSON.stringify(queue.tryGet())));
      queue.add('a');
      queue.add('a');
      expect(calls).toEqual(['{"shutdown":false,"item":"a","priority":0}']);
      queue.done('a');
      expect(calls).toHaveLength(2);
      queue.done('a');
      queue.shutDown();
      expect(calls.slice(2)).toEqual(['{"shutdown":true}']);
    });

    it('does not call back for what a waiting get takes, nor after its end', () => {
      const queue = createWorkQueue<string>();
      let calls = 0;
      const end = queue.onReady(() => (calls += 1));
      void queue.get();
      queue.add('a');
      expect(calls).toBe(0);
      end();
      queue.add('b');
      expect(calls).toBe(0);
    });

    it('may add and take in the callback', () => {
      const queue = createWorkQueue<number>();
      const taken: number[] = [];
      queue.onReady(() => {
        for (let next = queue.tryGet(); next !== undefined && !next.shutdown; next = queue.tryGet()) {
          taken.push(next.item);
          if (next.item < 5) queue.add(next.item + 1);
          queue.done(next.item);
        }
      });
      queue.add(1);
      expect(taken).toEqual([1, 2, 3, 4, 5]);
      expect(queue.state()).toEqual({ dirty: [], processing: [] });
    });
  });

  describe('shutDown', () => {
    it('ignores later adds, hands out what waits, and brings back once what was added during its work (WQ-06)', () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      queue.add('b');
      queue.tryGet();
      queue.add('a');
      queue.shutDown();
      expect(queue.shuttingDown()).toBe(true);
      queue.add('c');
      expect(takeAll(queue)).toEqual(['b']);
      queue.add('a');
      queue.done('a');
      expect(takeAll(queue)).toEqual(['a']);
      queue.done('a');
      expect(queue.tryGet()).toEqual({ shutdown: true });
    });
  });

  describe('shutDownWithDrain', () => {
    it('resolves when the last work is done, work that came back included (WQ-07)', async () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      queue.tryGet();
      queue.add('a');
      const drained = queue.shutDownWithDrain();
      queue.done('a');
      expect(await isSettled(drained)).toBe(false);
      queue.tryGet();
      expect(await isSettled(drained)).toBe(false);
      queue.done('a');
      expect(await isSettled(drained)).toBe(true);
    });

    it('is released by a later shutDown (WQ-07)', async () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      queue.tryGet();
      const drained = queue.shutDownWithDrain();
      expect(await isSettled(drained)).toBe(false);
      queue.shutDown();
      expect(await isSettled(drained)).toBe(true);
    });

    it('resolves at once when nothing is being worked on, even if items wait (WQ-08)', async () => {
      const queue = createWorkQueue<string>();
      queue.add('a');
      expect(await isSettled(queue.shutDownWithDrain())).toBe(true);
      expect(queue.len()).toBe(1);
    });

    it('resolves when a callback fails at a later shutDown, or the sink at the last work that is done', async () => {
      const fail = () => {
        throw new Error('broken');
      };
      const [queue, measured] = [createWorkQueue<string>(), createWorkQueue<string>({ metrics: { workDuration: fail } })];
      const drained = [queue, measured].map((each) => {
        each.add('a');
        each.tryGet();
        return each.shutDownWithDrain();
      });
      queue.onReady(fail);
      expect(() => queue.shutDown()).toThrow('broken');
      expect(() => measured.done('a')).toThrow('broken');
      expect(await Promise.all(drained.map(isSettled))).toEqual([true, true]);
    });
  });

  it('asks an order of the user for the next item, and tells it of repeated adds (WQ-11)', () => {
    const calls: string[] = [];
    const stack: string[] = [];
    const order: QueueOrder<string> = {
      push: (item, priority) => {
        calls.push(`push ${item} ${priority}`);
        stack.push(item);
      },
      touch: (item, priority) => calls.push(`touch ${item} ${priority}`),
      pop: () => stack.pop() ?? '',
      len: () => stack.length,
    };
    const queue = createWorkQueue({ order });
    queue.add('a');
    queue.add('b', { priority: 1 });
    queue.add('a', { priority: 2 });
    expect(takeAll(queue)).toEqual(['b', 'a']);
    queue.add('a');
    queue.add('a');
    queue.done('a');
    expect(calls).toEqual(['push a 0', 'push b 1', 'touch a 2', 'push a 0']);
  });

  it('refuses an item that an order of the user made up', () => {
    const queue = createWorkQueue<string>({ order: { push: () => undefined, touch: () => undefined, pop: () => 'x', len: () => 1 } });
    expect(() => queue.tryGet()).toThrow('Expected `order.pop` to return a waiting item, got another');
  });

  it('tells a sink what was accepted, how long it waited and how long it took (MX-02)', () => {
    const clock = createManualClock(1_000);
    const calls: string[] = [];
    let read: (() => QueueReadings) | undefined;
    const queue = createWorkQueue<string>({
      clock,
      metrics: {
        opened: (readings) => (read = readings),
        depth: (depth) => calls.push(`depth ${depth}`),
        adds: () => calls.push('adds'),
        latency: (ms) => calls.push(`latency ${ms}`),
        workDuration: (ms) => calls.push(`workDuration ${ms}`),
      },
    });
    const callsOf = (step: () => void): string[] => {
      calls.length = 0;
      step();
      return [...calls];
    };

    expect(callsOf(() => queue.add('a'))).toEqual(['adds', 'depth 1']);
    clock.advanceBy(10);
    expect(callsOf(() => queue.add('a'))).toEqual([]);
    clock.advanceBy(10);
    expect(callsOf(() => queue.tryGet())).toEqual(['latency 20', 'depth 0']);
    clock.advanceBy(5);
    expect(callsOf(() => queue.add('a'))).toEqual(['adds', 'depth 0']);
    expect(callsOf(() => queue.add('a'))).toEqual([]);
    queue.add('b');
    queue.tryGet();
    clock.advanceBy(7);
    expect(read?.()).toEqual({ depth: 0, processing: 2, unfinishedWorkMs: 19, longestRunningMs: 12, longestRunningItem: 'a' });
    expect(callsOf(() => queue.done('a'))).toEqual(['workDuration 12', 'depth 1']);
    expect(callsOf(() => queue.tryGet())).toEqual(['latency 7', 'depth 0']);
    expect(read?.()).toMatchObject({ longestRunningMs: 7, longestRunningItem: 'b' });
    queue.done('a');
    queue.done('b');
    expect(read?.()).toEqual({ depth: 0, processing: 0, unfinishedWorkMs: 0, longestRunningMs: 0, longestRunningItem: undefined });
    expect(clock.timers).toBe(0);
  });

  it('keeps nothing of an item that is done (WQ-10)', () => {
    const queue = createWorkQueue<number>();
    for (let item = 0; item < 1_000; item += 1) {
      queue.add(item, { priority: item % 3 });
      queue.tryGet();
      queue.done(item);
    }
    expect(queue.state()).toEqual({ dirty: [], processing: [] });
    expect(queue.len()).toBe(0);
  });

  it('agrees with a naive model over random histories: nothing lost, nothing twice, in order of priority (WQ-01, WQ-03)', () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('add' as const), item: fc.nat(7), priority: fc.constantFrom(-100, 0, 0, 0, 3) }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('get' as const) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('done' as const), which: fc.nat(9) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 90, size: 'max' }), (steps) => {
        const queue = createWorkQueue<number>();
        const waiting: { item: number; priority: number }[] = [];
        const again = new Map<number, number>();
        const busy: number[] = [];
        const wanted = new Set<number>();

        const differences: unknown[] = [];
        // Compared by JSON: a matcher per step would cost more than all the queues.
        const check = (actual: unknown, expected: unknown): void => {
          if (JSON.stringify(actual) !== JSON.stringify(expected)) differences.push({ actual, expected });
        };
        const next = (): { item: number; priority: number } | undefined => {
          const highest = Math.max(...waiting.map(({ priority }) => priority));
          const at = waiting.findIndex(({ priority }) => priority === highest);
          return at === -1 ? undefined : waiting.splice(at, 1)[0];
        };
        const take = (): void => {
          const expected = next();
          check(queue.tryGet(), expected && { shutdown: false, ...expected });
          if (expected === undefined) return;
          busy.push(expected.item);
          wanted.delete(expected.item);
        };
        const finish = (item: number): void => {
          busy.splice(busy.indexOf(item), 1);
          const priority = again.get(item);
          if (priority !== undefined) waiting.push({ item, priority });
          again.delete(item);
          queue.done(item);
        };

        for (const step of steps) {
          if (step.do === 'get') take();
          else if (step.do === 'done') {
            const item = busy[step.which % Math.max(busy.length, 1)];
            if (item !== undefined) finish(item);
          } else {
            const { item, priority } = step;
            wanted.add(item);
            const at = waiting.findIndex((entry) => entry.item === item);
            const present = waiting[at];
            if (busy.includes(item)) again.set(item, Math.max(priority, again.get(item) ?? -Infinity));
            else if (present === undefined) waiting.push({ item, priority });
            else if (present.priority < priority) {
              waiting.splice(at, 1);
              waiting.push({ item, priority });
            }
            queue.add(item, { priority });
          }
          const { dirty, processing } = queue.state();
          check(queue.len(), waiting.length);
          check(
            processing.map(({ item }) => item),
            busy,
          );
          check([...dirty].sort(), [...wanted].sort());
        }

        // Drained exactly: every item still wanted comes out once, and then nothing.
        queue.shutDown();
        while (waiting.length > 0 || busy.length > 0) {
          if (waiting.length > 0) take();
          for (const item of [...busy]) finish(item);
        }
        expect(differences).toEqual([]);
        expect(wanted.size).toBe(0);
        expect(queue.tryGet()).toEqual({ shutdown: true });
      }),
    );
  });

  it('loses nothing between workers that wait for promises (WQ-03)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 4 }), async (items, workers) => {
        const queue = createWorkQueue<number>();
        const versions = new Map<number, number>();
        const seen = new Map<number, number>();
        const busy = new Set<number>();
        const work = async (): Promise<void> => {
          for (let taken = await queue.get(); !taken.shutdown; taken = await queue.get()) {
            const { item } = taken;
            expect(busy.has(item)).toBe(false);
            busy.add(item);
            seen.set(item, versions.get(item) ?? 0);
            for (let turns = item; turns >= 0; turns -= 1) await Promise.resolve();
            busy.delete(item);
            queue.done(item);
          }
        };
        const running = Array.from({ length: workers }, work);
        for (const item of items) {
          versions.set(item, (versions.get(item) ?? 0) + 1);
          queue.add(item);
          if (item % 2 === 0) await Promise.resolve();
        }
        await queue.shutDownWithDrain();
        await Promise.all(running);
        expect(seen).toEqual(versions);
      }),
    );
  });
});
