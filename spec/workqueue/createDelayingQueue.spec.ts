import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { createManualClock, type ManualClock } from '../../src/testing/fakes/manualClock.js';
import { createDelayingQueue, type DelayingQueue } from '../../src/workqueue/createDelayingQueue.js';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';

function setUp(): { clock: ManualClock; queue: DelayingQueue<string>; takeAll: () => string[] } {
  const clock = createManualClock();
  const queue = createDelayingQueue<string>({ clock });
  const takeAll = (): string[] => {
    const items: string[] = [];
    for (let taken = queue.tryGet(); taken !== undefined && !taken.shutdown; taken = queue.tryGet()) {
      items.push(taken.item);
      queue.done(taken.item);
    }
    return items;
  };
  return { clock, queue, takeAll };
}

describe('createDelayingQueue', () => {
  it('adds an item when its time has come, not before (DQ-01)', () => {
    const { clock, queue, takeAll } = setUp();
    queue.addAfter('a', 50);
    expect([queue.len(), queue.delayed()]).toEqual([0, 1]);
    clock.advanceBy(49);
    expect(takeAll()).toEqual([]);
    clock.advanceBy(1);
    expect(takeAll()).toEqual(['a']);
    expect([queue.delayed(), clock.timers]).toEqual([0, 0]);
  });

  it.each([0, -1])('adds at once after a delay of %d (DQ-01)', (delayMs) => {
    const { clock, queue } = setUp();
    queue.addAfter('a', delayMs);
    expect([queue.len(), clock.timers]).toEqual([1, 0]);
  });

  it.each([
    ['earlier, later', [10, 40]],
    ['later, earlier', [40, 10]],
  ])('keeps the earlier of two times for one item: %s (DQ-02)', (_, [first = 0, second = 0]) => {
    const { clock, queue, takeAll } = setUp();
    queue.addAfter('a', first);
    queue.addAfter('a', second);
    expect(clock.timers).toBe(1);
    clock.advanceBy(10);
    expect(takeAll()).toEqual(['a']);
    clock.advanceBy(100);
    expect(takeAll()).toEqual([]);
  });

  it('forgets a delayed item that is cancelled, and keeps the others', () => {
    const scheduler = new VirtualTimeScheduler();
    const queue = createDelayingQueue<string>({ clock: scheduler });
    for (const [item, ms] of [
      ['a', 5],
      ['b', 10],
      ['c', 15],
    ] as const)
      queue.addAfter(item, ms);
    queue.cancel('a');
    queue.cancel('none');
    expect(queue.delayed()).toBe(2);
    scheduler.flush();
    expect(queue.state().dirty).toEqual(['b', 'c']);
  });

  it('counts afresh after the item has come (DQ-02)', () => {
    const { clock, queue, takeAll } = setUp();
    queue.addAfter('a', 10);
    clock.advanceBy(10);
    takeAll();
    queue.addAfter('a', 30);
    clock.advanceBy(29);
    expect(takeAll()).toEqual([]);
    clock.advanceBy(1);
    expect(takeAll()).toEqual(['a']);
  });

  it('adds what is ready together in the order of its times (DQ-03)', () => {
    const clock = createManualClock();
    const queue = createDelayingQueue<string>({ clock: { ...clock, schedule: (work) => clock.schedule(work, 100) } });
    for (const [item, delayMs] of [
      ['c', 30],
      ['a', 10],
      ['d', 40],
      ['b', 20],
      ['also c', 30],
    ] as const)
      queue.addAfter(item, delayMs);
    clock.advanceBy(100);
    expect(Array.from({ length: queue.len() }, () => queue.tryGet()?.item)).toEqual(['a', 'b', 'c', 'also c', 'd']);
  });

  it('is not cancelled by a plain add of the same item: it comes again (DQ-05)', () => {
    const { clock, queue, takeAll } = setUp();
    queue.addAfter('a', 50);
    queue.add('a');
    expect(takeAll()).toEqual(['a']);
    clock.advanceBy(50);
    expect(takeAll()).toEqual(['a']);
  });

  it('adds with the highest priority that was asked for', () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 50, { priority: 3 });
    queue.addAfter('a', 10, { priority: -3 });
    clock.advanceBy(10);
    expect(queue.tryGet()).toEqual({ shutdown: false, item: 'a', priority: 3 });
    queue.done('a');
    queue.addAfter('a', 5, { priority: 1 });
    queue.addAfter('b', 5);
    clock.advanceBy(5);
    expect(queue.tryGet()).toEqual({ shutdown: false, item: 'a', priority: 1 });
    expect(queue.tryGet()).toEqual({ shutdown: false, item: 'b', priority: 0 });
  });

  it.each(['shutDown', 'shutDownWithDrain'] as const)(
    'drops what waits at %s, with its timer, and ignores what comes later (DQ-01, DQ-06)',
    (end) => {
      const { clock, queue, takeAll } = setUp();
      queue.addAfter('a', 10);
      void queue[end]();
      expect([queue.delayed(), clock.timers]).toEqual([0, 0]);
      queue.addAfter('b', 10);
      queue.addAfter('c', 0);
      clock.advanceBy(100);
      expect(takeAll()).toEqual([]);
    },
  );

  it.each([NaN, Infinity, -Infinity, '5' as unknown as number])('refuses a delay of %p', (delayMs) => {
    const { clock, queue } = setUp();
    expect(() => queue.addAfter('a', delayMs)).toThrow(/^Expected `delayMs` of `addAfter` to be a finite number, got /);
    expect([queue.len(), queue.delayed(), clock.timers]).toEqual([0, 0, 0]);
  });

  it('waits longer than the longest timer', () => {
    const clock = createManualClock();
    const delays: number[] = [];
    const schedule: ManualClock['schedule'] = (work, delayMs = 0) => {
      delays.push(delayMs);
      return clock.schedule(work, delayMs);
    };
    const queue = createDelayingQueue<string>({ clock: { now: () => clock.now(), schedule } });
    queue.addAfter('a', 2 ** 31 + 9);
    clock.advanceBy(2 ** 31 + 8);
    expect(queue.len()).toBe(0);
    clock.advanceBy(1);
    expect(queue.len()).toBe(1);
    expect(delays).toEqual([2 ** 31 - 1, 10]);
  });

  it('goes on with the other items when a ready callback throws', () => {
    const { clock, queue } = setUp();
    let calls = 0;
    queue.onReady(() => {
      calls += 1;
      if (calls === 1) throw new Error('from the callback');
    });
    queue.addAfter('a', 10);
    queue.addAfter('b', 10);
    expect(() => clock.advanceBy(10)).toThrow('from the callback');
    clock.advanceBy(10);
    expect(queue.len()).toBe(2);
  });

  it('builds on a queue that it is given', () => {
    const clock = createManualClock();
    const inner = createWorkQueue<string>();
    const queue = createDelayingQueue({ queue: inner, clock });
    queue.addAfter('a', 1);
    clock.advanceBy(1);
    expect(inner.len()).toBe(1);
  });

  it('counts every delayed add that is not refused (MX-02)', () => {
    let retries = 0;
    const queue = createDelayingQueue<string>({ clock: createManualClock(), metrics: { retries: () => (retries += 1) } });
    queue.addAfter('a', 10);
    queue.addAfter('a', 20);
    queue.addAfter('a', 0);
    queue.shutDown();
    queue.addAfter('a', 10);
    expect(retries).toBe(3);
  });

  it('agrees with a model: each item comes at the earliest time that was asked for since it last came (DQ-02, DQ-05)', () => {
    const step = fc.record({ item: fc.constantFrom('a', 'b', 'c', 'd'), delayMs: fc.integer({ min: -2, max: 30 }), advanceMs: fc.nat(12) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { clock, queue, takeAll } = setUp();
        const model = new Map<string, number>();
        const came: string[] = [];
        const expected: string[] = [];
        const counts: number[][] = [];
        const expectedCounts: number[][] = [];
        queue.onReady(() => came.push(...takeAll().map((item) => `${clock.now()} ${item}`)));
        const advance = (ms: number): void => {
          const end = clock.now() + ms;
          for (const [item, at] of [...model].sort((a, b) => a[1] - b[1])) {
            if (at > end) continue;
            expected.push(`${at} ${item}`);
            model.delete(item);
          }
          clock.advanceBy(ms);
        };
        for (const { item, delayMs, advanceMs } of steps) {
          if (delayMs <= 0) expected.push(`${clock.now()} ${item}`);
          else model.set(item, Math.min(clock.now() + delayMs, model.get(item) ?? Infinity));
          queue.addAfter(item, delayMs);
          advance(advanceMs);
          counts.push([queue.delayed(), clock.timers]);
          expectedCounts.push([model.size, Math.min(model.size, 1)]);
        }
        advance(1_000);
        expect([...came].sort()).toEqual([...expected].sort());
        expect(counts).toEqual(expectedCounts);
      }),
    );
  });
});
