import { describe, expect, it } from '@jest/globals';
import { slopeOf } from '../../../tools/soak/slopeOf.js';

describe('slopeOf', () => {
  it('is that of a line, whatever a few outliers say', () => {
    const points = Array.from({ length: 20 }, (_, x) => ({ x, y: x === 7 || x === 19 ? 1_000 : 3 * x + 5 }));
    expect(slopeOf(points)).toBe(3);
  });

  it('is 0 where nothing grows, and where there is nothing to tell', () => {
    expect(slopeOf([4, 6, 4, 6, 4, 6, 4].map((y, x) => ({ x, y })))).toBe(0);
    expect(slopeOf([{ x: 1, y: 1 }])).toBe(0);
  });
});
