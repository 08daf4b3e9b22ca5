import { describe, expect, it } from '@jest/globals';

import { createPriorityOrder, type QueueOrder } from '../../src/workqueue/queueOrder.js';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';

/** Leads one item through a queue and writes down which sets hold it after each step. */
function dirtyVersusProcessing(): string[][] {
  const queued = new Set<string>();
  const inner = createPriorityOrder<string>();
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
