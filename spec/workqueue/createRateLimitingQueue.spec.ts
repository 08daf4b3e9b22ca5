import { describe, expect, it } from '@jest/globals';

import { createManualClock } from '../../src/testing/fakes/manualClock.js';
import { createDelayingQueue } from '../../src/workqueue/createDelayingQueue.js';
import { createRateLimitingQueue } from '../../src/workqueue/createRateLimitingQueue.js';
import { exponentialFailure } from '../../src/workqueue/rateLimiters.js';

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
