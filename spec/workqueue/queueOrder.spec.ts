import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { PriorityOrder } from '../../src/workqueue/queueOrder.js';
import { runs } from '../tier.js';

describe('PriorityOrder', () => {
  it('pops the highest priority first, and within one first in, first out', () => {
    const order = new PriorityOrder<string>();
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
      const order = new PriorityOrder<string>();
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
    const order = new PriorityOrder<string>();
    order.push('a', 0);
    order.push('b', 0);
    order.touch('a', 0);
    expect(order.pop()).toBe('a');
  });

  it('gives the oldest item a turn after 99 takes that passed over an older one', () => {
    const order = new PriorityOrder<string>();
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
    const order = new PriorityOrder<string>();
    order.push('middle', 1);
    order.push('lowest', 0);
    for (let at = 0; at < 100; at += 1) order.push(`high ${at}`, 2);
    const popped = Array.from({ length: 100 }, () => order.pop());
    expect(popped[99]).toBe('middle');
  });

  it('refuses to pop when nothing waits', () => {
    expect(() => new PriorityOrder().pop()).toThrow('Expected an item to pop, got an empty order');
  });

  /** The same order, by looking through all items for each step. */
  class PlainOrder {
    private items: { readonly item: number; readonly priority: number }[] = [];
    private passedOver = 0;

    push(item: number, priority: number): void {
      this.items.push({ item, priority });
    }

    touch(item: number, priority: number): void {
      const known = this.items.find((each) => each.item === item);
      if (known === undefined || known.priority >= priority) return;
      this.take(item);
      this.push(item, priority);
    }

    pop(): number {
      const [oldest] = this.items;
      let top = oldest;
      for (const each of this.items) if (each.priority > (top?.priority ?? 0)) top = each;
      if (top === undefined || oldest === undefined) throw new Error('empty');
      if (top !== oldest) this.passedOver += 1;
      const isDue = top !== oldest && this.passedOver === 100;
      if (isDue) this.passedOver = 0;
      return this.take((isDue ? oldest : top).item);
    }

    private take(item: number): number {
      this.items = this.items.filter((each) => each.item !== item);
      return item;
    }
  }

  it('hands out whatever is added and raised in the same order as a search through all items does', () => {
    const step = fc.record({
      kind: fc.constantFrom('push', 'push', 'touch', 'pop'),
      at: fc.nat(1000),
      priority: fc.integer({ min: -8, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 1000, size: 'max' }), (steps) => {
        const [order, plain, queued] = [new PriorityOrder<number>(), new PlainOrder(), new Set<number>()];
        steps.forEach(({ kind, at, priority }, item) => {
          const chosen = [...queued][at % Math.max(queued.size, 1)];
          if (kind === 'push') {
            queued.add(item);
            order.push(item, priority);
            plain.push(item, priority);
          } else if (chosen !== undefined && kind === 'touch') {
            order.touch(chosen, priority);
            plain.touch(chosen, priority);
          }
          const takes = kind !== 'push' && kind !== 'touch' && chosen !== undefined;
          const [popped, expected] = takes ? [order.pop(), plain.pop()] : [];
          expect(popped).toBe(expected);
          if (popped !== undefined) queued.delete(popped);
          expect(order.len()).toBe(queued.size);
        });
        for (let left = queued.size; left > 0; left -= 1) expect(order.pop()).toBe(plain.pop());
      }),
      { numRuns: runs(100) },
    );
  });
});
