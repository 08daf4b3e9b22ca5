import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createManualClock } from '../../src/testing/fakes/manualClock.js';
import { createDelayingQueue } from '../../src/workqueue/createDelayingQueue.js';
import { createRateLimitingQueue } from '../../src/workqueue/createRateLimitingQueue.js';
import {
  exponentialFailure,
  defaultItemBasedRateLimiter,
  fastSlow,
  maxOf,
  tokenBucket,
  withMaxWait,
} from '../../src/workqueue/rateLimiters.js';
import { PriorityOrder, type QueueOrder } from '../../src/workqueue/queueOrder.js';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';
import { KeyedHeap } from '../../src/workqueue/keyedHeap.js';

describe('createRateLimitingQueue', () => {
  it('adds a failing item when the limiter says so (RQ-01)', () => {
    const clock = createManualClock();
    const queue = createRateLimitingQueue<string>({ clock, rateLimiter: exponentialFailure({ baseMs: 10, maxMs: 1_000 }) });
    const cameAt: number[] = [];
    queue.onReady(() => {
      cameAt.push(clock.now());
      queue.tryGet();
      queue.done('a');
      queue.addRateLimited('a');
    });
    queue.add('a');
    clock.advanceBy(150);
    expect(cameAt).toEqual([0, 10, 30, 70, 150]);
    expect(queue.numRequeues('a')).toBe(5);
  });

  it('counts a failure of an item that waits already, while the earlier time stays (RQ-02)', () => {
    const clock = createManualClock();
    const queue = createRateLimitingQueue<string>({ clock, rateLimiter: exponentialFailure({ baseMs: 10, maxMs: 1_000 }) });
    queue.addRateLimited('a', { priority: 4 });
    queue.addRateLimited('a');
    expect(queue.numRequeues('a')).toBe(2);
    clock.advanceBy(10);
    expect(queue.tryGet()).toEqual({ shutdown: false, item: 'a', priority: 4 });
    expect(queue.delayed()).toBe(0);
  });

  it('forgets failures without cancelling what waits (RQ-01)', () => {
    const clock = createManualClock();
    const queue = createRateLimitingQueue<string>({ clock });
    queue.addRateLimited('a');
    queue.forget('a');
    expect(queue.numRequeues('a')).toBe(0);
    expect(queue.delayed()).toBe(1);
  });

  it('uses the limiter of controllers unless told otherwise, on its own clock (LM-07)', () => {
    const clock = createManualClock();
    const queue = createRateLimitingQueue<string>({ clock });
    for (let at = 0; at < 100; at += 1) queue.addRateLimited(`item ${at}`);
    clock.advanceBy(5);
    expect(queue.len()).toBe(100);
    queue.addRateLimited('late');
    // 5 ms have added 0.05 of a token.
    clock.advanceBy(94);
    expect(queue.len()).toBe(100);
    clock.advanceBy(1);
    expect(queue.len()).toBe(101);
  });

  it('builds on a delaying queue that it is given', () => {
    const clock = createManualClock();
    const inner = createDelayingQueue<string>({ clock });
    createRateLimitingQueue({ queue: inner, clock }).addRateLimited('a');
    expect(inner.delayed()).toBe(1);
  });
});

describe('defaultItemBasedRateLimiter', () => {
  it('doubles from 1 ms to 1000 s per item, and limits nothing overall (LM-02)', () => {
    const limiter = defaultItemBasedRateLimiter();
    const waits = Array.from({ length: 22 }, () => limiter.when('one'));
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(waits.slice(19)).toEqual([524_288, 1_000_000, 1_000_000]);
    expect(new Set(Array.from({ length: 1_000 }, (_, at) => limiter.when(at)))).toEqual(new Set([1]));
  });
});

/** Leads one item through a queue and writes down which sets hold it after each step. */
function dirtyVersusProcessing(): string[][] {
  const queued = new Set<string>();
  const inner = new PriorityOrder<string>();
  const order: QueueOrder<string> = {
    push: (item, priority) => {
      queued.add(item);
      inner.push(item, priority);
    },
    pop: () => {
      const item = inner.pop();
      queued.delete(item);
      return item;
    },
    touch: (item, priority) => inner.touch(item, priority),
    len: () => inner.len(),
  };
  const queue = createWorkQueue({ order });
  const take = (): void => void queue.tryGet();
  const steps: readonly (readonly [string, () => void])[] = [
    ['`add(a)`', () => queue.add('a')],
    ['`add(a)` again while it waits', () => queue.add('a')],
    ['`get()` brings `a`', take],
    ['`add(a)` while it is worked on', () => queue.add('a')],
    ['`add(a)` again', () => queue.add('a')],
    ['`done(a)`', () => queue.done('a')],
    ['`get()` brings `a`', take],
    ['`done(a)`', () => queue.done('a')],
  ];
  return steps.map(([name, step]) => {
    step();
    const { dirty, processing } = queue.state();
    const cells = [dirty.includes('a'), queued.has('a'), processing.some(({ item }) => item === 'a')].map((held) => (held ? 'a' : ''));
    return [name, ...cells, String(queue.len())];
  });
}

describe('dirty versus processing', () => {
  it('queues an item that changes during its work once more, and only then (WQ-01, WQ-02)', () => {
    expect(dirtyVersusProcessing()).toEqual([
      // step, dirty, queue, processing, len()
      ['`add(a)`', 'a', 'a', '', '1'],
      ['`add(a)` again while it waits', 'a', 'a', '', '1'],
      ['`get()` brings `a`', '', '', 'a', '0'],
      ['`add(a)` while it is worked on', 'a', '', 'a', '0'],
      ['`add(a)` again', 'a', '', 'a', '0'],
      ['`done(a)`', 'a', 'a', '', '1'],
      ['`get()` brings `a`', '', '', 'a', '0'],
      ['`done(a)`', '', '', '', '0'],
    ]);
  });
});

describe('exponentialFailure', () => {
  it('doubles with every failure of an item up to the maximum, and starts over once forgotten (LM-01)', () => {
    const limiter = exponentialFailure({ baseMs: 1, maxMs: 20 });
    expect([1, 2, 3, 4, 5, 6, 7].map(() => limiter.when('one'))).toEqual([1, 2, 4, 8, 16, 20, 20]);
    expect(limiter.numRequeues('one')).toBe(7);
    expect([limiter.when('two'), limiter.when('two')]).toEqual([1, 2]);
    limiter.forget('one');
    expect(limiter.numRequeues('one')).toBe(0);
    expect(limiter.when('one')).toBe(1);
    expect(limiter.numRequeues('two')).toBe(2);
  });

  it('stays at the maximum however many failures there are (LM-01)', () => {
    const limiter = exponentialFailure({ baseMs: 0.001, maxMs: 1_000_000 });
    for (let count = 0; count < 2_000; count += 1) limiter.when('one');
    expect(limiter.when('one')).toBe(1_000_000);
  });

  it.each([
    [{ baseMs: 10, maxMs: 9 }, 'Expected `maxMs` to be >= `baseMs` (10), got 9'],
    [{ baseMs: 0, maxMs: 9 }, 'Expected `baseMs` of `exponentialFailure` to be a finite number > 0, got 0'],
    [{ baseMs: -1, maxMs: 9 }, 'Expected `baseMs` of `exponentialFailure` to be a finite number > 0, got -1'],
    [{ baseMs: NaN, maxMs: 9 }, 'Expected `baseMs` of `exponentialFailure` to be a finite number > 0, got NaN'],
    [{ baseMs: 1, maxMs: Infinity }, 'Expected `maxMs` of `exponentialFailure` to be a finite number > 0, got Infinity'],
  ])('refuses %j', (options, message) => {
    expect(() => exponentialFailure(options)).toThrow(new TypeError(message));
  });
});

describe('fastSlow', () => {
  it('is fast for the first failures of an item and slow from then on, until forgotten (LM-03)', () => {
    const limiter = fastSlow({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 3 });
    expect([1, 2, 3, 4, 5].map(() => limiter.when('one'))).toEqual([5, 5, 5, 10_000, 10_000]);
    expect(limiter.when('two')).toBe(5);
    expect([limiter.numRequeues('one'), limiter.numRequeues('two')]).toEqual([5, 1]);
    limiter.forget('one');
    expect([limiter.numRequeues('one'), limiter.when('one')]).toEqual([0, 5]);
  });

  it.each([
    [{ fastMs: -1, slowMs: 1, maxFastAttempts: 1 }, 'Expected `fastMs` of `fastSlow` to be a finite number >= 0, got -1'],
    [{ fastMs: 1, slowMs: NaN, maxFastAttempts: 1 }, 'Expected `slowMs` of `fastSlow` to be a finite number >= 0, got NaN'],
    [{ fastMs: 1, slowMs: 1, maxFastAttempts: 1.5 }, 'Expected `maxFastAttempts` of `fastSlow` to be an integer >= 0, got 1.5'],
  ])('refuses %j', (options, message) => {
    expect(() => fastSlow(options)).toThrow(new TypeError(message));
  });
});

describe('KeyedHeap', () => {
  it('agrees with a sorted list: the earliest time of a key counts, equal times keep their order (DQ-02, DQ-03)', () => {
    const step = fc.oneof(fc.record({ key: fc.nat(20), at: fc.nat(15) }), fc.record({ now: fc.nat(15) }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const heap = new KeyedHeap<number>();
        let model: { key: number; at: number }[] = [];
        const pop = (now: number): readonly unknown[] => {
          const first = [...model].sort((a, b) => a.at - b.at).find(({ at }) => at <= now);
          model = model.filter((entry) => entry !== first);
          return [heap.popUntil(now)?.key, first?.key];
        };
        const push = (entry: { key: number; at: number }): readonly unknown[] => {
          const present = model.find(({ key }) => key === entry.key);
          if (present === undefined || present.at > entry.at) model = [...model.filter((other) => other !== present), entry];
          heap.push(entry.key, entry.at);
          return [];
        };
        const differences = steps.filter((step) => {
          const [actual, expected] = 'now' in step ? pop(step.now) : push(step);
          const earliest = model.length === 0 ? undefined : Math.min(...model.map(({ at }) => at));
          return actual !== expected || heap.size !== model.length || heap.earliest() !== earliest;
        });
        expect(differences).toEqual([]);
      }),
    );
  });

  it('forgets everything when it is cleared', () => {
    const heap = new KeyedHeap<string>();
    heap.push('a', 1);
    heap.clear();
    expect([heap.size, heap.earliest(), heap.popUntil(5)]).toEqual([0, undefined, undefined]);
    heap.push('a', 9);
    expect(heap.earliest()).toBe(9);
  });
});

describe('maxOf', () => {
  it('takes the longest wait and charges every limiter (LM-05)', () => {
    const exponential = exponentialFailure({ baseMs: 1, maxMs: 1_000 });
    const fast = fastSlow({ fastMs: 5, slowMs: 30, maxFastAttempts: 4 });
    exponential.when('one');
    const limiter = maxOf([fast, exponential]);
    expect([1, 2, 3, 4, 5, 6].map(() => limiter.when('one'))).toEqual([5, 5, 8, 16, 32, 64]);
    expect([limiter.numRequeues('one'), fast.numRequeues('one'), exponential.numRequeues('one')]).toEqual([7, 6, 7]);
    limiter.forget('one');
    expect([limiter.numRequeues('one'), fast.numRequeues('one'), exponential.numRequeues('one')]).toEqual([0, 0, 0]);
  });

  it('refuses to choose among none', () => {
    expect(() => maxOf([])).toThrow(new TypeError('Expected `limiters` to be at least one, got none'));
  });
});

describe('tokenBucket', () => {
  it('lets a burst through, then one call per token, each waiting behind those before it (LM-04)', () => {
    const clock = createManualClock();
    const limiter = tokenBucket({ qps: 10, burst: 2, clock });
    expect(['a', 'b', 'c', 'd', 'e'].map((item) => limiter.when(item))).toEqual([0, 0, 100, 200, 300]);
    clock.advanceBy(250);
    expect(limiter.when('f')).toBe(150);
  });

  it('never holds more than its burst, and no call goes back in time (LM-04)', () => {
    const clock = createManualClock();
    let now = 5_000;
    const limiter = tokenBucket({ qps: 10, burst: 2, clock: { ...clock, now: () => now } });
    now = 3_600_000;
    expect([limiter.when('a'), limiter.when('a'), limiter.when('a')]).toEqual([0, 0, 100]);
    now = 0;
    expect(limiter.when('a')).toBe(200);
    now = 1_000;
    expect(limiter.when('a')).toBe(0);
  });

  it('knows nothing of single items (LM-04)', () => {
    const limiter = tokenBucket({ qps: 10, burst: 1, clock: createManualClock() });
    limiter.when('a');
    limiter.forget('a');
    expect(limiter.numRequeues('a')).toBe(0);
    expect(limiter.when('a')).toBe(100);
  });

  it.each([
    [{ qps: 0, burst: 1 }, 'Expected `qps` of `tokenBucket` to be a finite number > 0, got 0'],
    [{ qps: NaN, burst: 1 }, 'Expected `qps` of `tokenBucket` to be a finite number > 0, got NaN'],
    [{ qps: 1, burst: 0 }, 'Expected `burst` of `tokenBucket` to be an integer >= 1, got 0'],
    [{ qps: 1, burst: 1.5 }, 'Expected `burst` of `tokenBucket` to be an integer >= 1, got 1.5'],
  ])('refuses %j', (options, message) => {
    expect(() => tokenBucket(options)).toThrow(new TypeError(message));
  });
});

describe('withMaxWait', () => {
  it('cuts waits at the maximum and passes everything else on (LM-06)', () => {
    const inner = fastSlow({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 1 });
    const limiter = withMaxWait(inner, { maxMs: 100 });
    expect([limiter.when('one'), limiter.when('one')]).toEqual([5, 100]);
    expect(limiter.numRequeues('one')).toBe(2);
    limiter.forget('one');
    expect(inner.numRequeues('one')).toBe(0);
  });

  it('refuses a negative maximum', () => {
    const inner = fastSlow({ fastMs: 5, slowMs: 5, maxFastAttempts: 1 });
    expect(() => withMaxWait(inner, { maxMs: -1 })).toThrow(
      new TypeError('Expected `maxMs` of `withMaxWait` to be a finite number >= 0, got -1'),
    );
  });
});
