import { describe, expect, it } from '@jest/globals';
import { map } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { queueMetrics } from '../../src/metrics/queueMetrics.js';
import { createManualClock } from '../../src/testing/fakes/manualClock.js';
import { createDelayingQueue } from '../../src/workqueue/createDelayingQueue.js';

const createTestScheduler = (): TestScheduler => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

describe('queueMetrics', () => {
  it('adds up what a queue reports (MX-01, MX-02)', () => {
    const metrics = queueMetrics();
    const clock = createManualClock();
    const queue = createDelayingQueue<string>({ clock, metrics: metrics.sink });
    queue.add('a');
    queue.addAfter('b', 10);
    clock.advanceBy(40);
    queue.tryGet();
    clock.advanceBy(5);
    queue.done('a');
    queue.tryGet();
    clock.advanceBy(7);
    queue.add('c');
    expect(metrics.read()).toEqual({
      depth: 1,
      processing: 1,
      adds: 3,
      retries: 1,
      latency: { count: 2, sumMs: 75, maxMs: 40 },
      workDuration: { count: 1, sumMs: 5, maxMs: 5 },
      unfinishedWorkMs: 7,
      longestRunningMs: 7,
      longestRunningItem: 'b',
    });
  });

  it('has nothing to tell before a queue is made with it', () => {
    expect(queueMetrics().read()).toMatchObject({
      depth: 0,
      adds: 0,
      latency: { count: 0, sumMs: 0, maxMs: 0 },
      longestRunningItem: undefined,
    });
  });

  it('emits at subscription and then at intervals, with a timer for subscribers only', () => {
    const scheduler = createTestScheduler();
    scheduler.run(({ expectObservable }) => {
      const metrics = queueMetrics({ intervalMs: 5, scheduler });
      const queue = createDelayingQueue<string>({ metrics: metrics.sink });
      scheduler.schedule(() => queue.add('a'), 7);
      const depths = metrics.figures$.pipe(map(({ depth }) => String(depth)));
      expectObservable(depths, '^--------------!').toBe('0----0----1----');
      expectObservable(depths, '--------^------!').toBe('--------1----1-');
    });
  });

  it('emits every 500 ms unless told otherwise', () => {
    createTestScheduler().run(({ expectObservable }) => {
      const depths = queueMetrics().figures$.pipe(map(({ depth }) => String(depth)));
      expectObservable(depths, '^ 1100ms !').toBe('0 499ms 0 499ms 0');
    });
  });

  it.each([0, -1, NaN])('refuses an interval of %d', (intervalMs) => {
    expect(() => queueMetrics({ intervalMs })).toThrow(
      new TypeError(`Expected \`intervalMs\` of \`queueMetrics\` to be a finite number of milliseconds > 0, got ${intervalMs}`),
    );
  });
});
