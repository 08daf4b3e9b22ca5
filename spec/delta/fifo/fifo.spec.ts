import { describe, expect, it } from '@jest/globals';
import { DeltaQueue } from '../../../src/delta/fifo/deltaQueue.js';
import { pod, type Pod } from '../pods.js';
import { delta } from './deltas.js';
import { RequeueError } from '../../../src/delta/fifo/deltaProcessor.js';

const keys = ['default/a', 'default/b', 'default/c'];

/** A queue in which three objects wait while an older item of each of them is being processed. */
function skipped(): DeltaQueue<Pod, never> {
  const queue = new DeltaQueue<Pod, never>({
    ...{ compress: 'duplicateDeletes', knownObjects: undefined, onUnreadable: () => undefined },
    ...{ concurrency: () => 0, item: () => undefined, mark: () => undefined, idle: () => undefined },
  });
  const push = (): void => ['a', 'b', 'c'].forEach((name) => queue.push(delta('Added', pod(name, '1'))));
  push();
  expect(keys.map(() => queue.take(Infinity)?.key)).toEqual(keys);
  push();
  expect(queue.take(Infinity)).toBeUndefined();
  return queue;
}

describe('DeltaQueue', () => {
  it.each([
    ['a b c', [0, 1, 2]],
    ['a c b', [0, 2, 1]],
    ['b a c', [1, 0, 2]],
    ['b c a', [1, 2, 0]],
    ['c a b', [2, 0, 1]],
    ['c b a', [2, 1, 0]],
  ])('hands out by their places what is released in the order %s', (_, order) => {
    const queue = skipped();
    for (const at of order) queue.done(keys[at] as string);
    expect(keys.map(() => queue.take(Infinity)?.key)).toEqual(keys);
    expect(queue.keys()).toEqual([]);
  });
});

describe('RequeueError', () => {
  it('has a cause where there is one', () => {
    const cause = new Error('later');
    expect(new RequeueError(cause).cause).toBe(cause);
    expect(new RequeueError()).not.toHaveProperty('cause');
  });
});
