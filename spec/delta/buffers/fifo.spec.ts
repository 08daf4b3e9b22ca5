import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Fifo } from '../../../src/rx/trampoline.js';

describe('Fifo', () => {
  it('behaves like an array, at any size', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 700 }).map((count) => ({ kind: 'push' as const, count })) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 700 }).map((count) => ({ kind: 'shift' as const, count })) },
      { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const, count: 1 }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const queue = new Fifo<number>();
        const model: number[] = [];
        let [next, misses] = [0, 0];
        for (const { kind, count } of steps) {
          for (let index = 0; index < count; index += 1) {
            if (kind === 'push') {
              queue.push(next);
              model.push(next);
              next += 1;
            } else if (kind === 'shift' && queue.shift() !== model.shift()) misses += 1;
          }
          if (kind === 'clear') {
            queue.clear();
            model.length = 0;
          }
          expect([queue.size, misses]).toEqual([model.length, 0]);
        }
      }),
      { numRuns: 50 },
    );
  });
});
