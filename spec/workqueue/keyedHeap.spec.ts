import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { KeyedHeap } from '../../src/workqueue/keyedHeap.js';

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
          const changes = present === undefined || present.at > entry.at;
          if (changes) model = [...model.filter((other) => other !== present), entry];
          return [heap.push(entry.key, entry.at), changes];
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
    expect(heap.push('a', 9)).toBe(true);
  });
});
