import { describe, expect, it } from '@jest/globals';

import { createPriorityOrder } from '../../src/workqueue/queueOrder.js';

describe('createPriorityOrder', () => {
  it('pops the highest priority first, and within one first in, first out', () => {
    const order = createPriorityOrder<string>();
    for (const [item, priority] of [
      ['a', 0],
      ['b', 2],
      ['c', 0],
      ['d', -1],
      ['e', 2],
      ['f', 1],
    ] as const)
      order.push(item, priority);
    expect(Array.from({ length: order.len() }, () => order.pop())).toEqual(['b', 'e', 'f', 'a', 'c', 'd']);
  });

  it('moves a raised item to the end of its new level, from any place in the old one', () => {
    for (const raised of ['a', 'b', 'c']) {
      const order = createPriorityOrder<string>();
      for (const item of ['a', 'b', 'c']) order.push(item, 0);
      order.push('x', 1);
      order.touch(raised, 1);
      order.touch(raised, 0);
      expect(Array.from({ length: order.len() }, () => order.pop())).toEqual([
        'x',
        raised,
        ...['a', 'b', 'c'].filter((item) => item !== raised),
      ]);
    }
  });

  it('keeps its place when an item is touched at its own priority', () => {
    const order = createPriorityOrder<string>();
    order.push('a', 0);
    order.push('b', 0);
    order.touch('a', 0);
    expect(order.pop()).toBe('a');
  });

  it('gives the oldest item a turn after 99 takes that passed over an older one', () => {
    const order = createPriorityOrder<string>();
    for (const item of ['low', 'lower']) order.push(item, -1);
    const popped = Array.from({ length: 300 }, (_, at) => {
      order.push(`high ${at}`, 0);
      return order.pop();
    });
    expect(popped.flatMap((item, at) => (item.startsWith('low') ? [[at, item]] : []))).toEqual([
      [99, 'low'],
      [199, 'lower'],
    ]);
    // Each turn left one item of high priority; they are not lost.
    expect([order.pop(), order.pop()]).toEqual(['high 298', 'high 299']);
    expect(order.len()).toBe(0);
  });

  it('gives a turn to the oldest of all, not to the lowest', () => {
    const order = createPriorityOrder<string>();
    order.push('middle', 1);
    order.push('lowest', 0);
    for (let at = 0; at < 100; at += 1) order.push(`high ${at}`, 2);
    const popped = Array.from({ length: 100 }, () => order.pop());
    expect(popped[99]).toBe('middle');
  });

  it('refuses to pop when nothing waits', () => {
    expect(() => createPriorityOrder().pop()).toThrow('Expected an item to pop, got an empty order');
  });
});
