import { describe, expect, it } from '@jest/globals';
import { defaults } from '../../../src/api/defaults.js';
import { backoffDelay } from '../../../src/source/reflector/backoffDelay.js';

describe('backoffDelay', () => {
  it('doubles from 0.8 s to 30 s by default (RX-05, RX-06)', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 50, 5000].map((attempt) => backoffDelay(attempt, defaults.backoff, () => 0));
    expect(delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000]);
  });

  it('prolongs each wait by chance, up to its double by default (RX-05)', () => {
    expect(backoffDelay(1, defaults.backoff, () => 0.5)).toBe(1200);
    expect(backoffDelay(9, defaults.backoff, () => 0.999)).toBeCloseTo(59_970);
  });

  it('takes other parameters (RX-08)', () => {
    const backoff = { initialMs: 100, maxMs: 1000, factor: 3, jitter: 0.1 };
    expect([1, 2, 3, 4].map((attempt) => backoffDelay(attempt, backoff, () => 1))).toEqual(
      [110, 330, 990, 1100].map((ms) => expect.closeTo(ms)),
    );
  });

  it('is never shorter than the server asks for, and not prolonged by it (RT-03)', () => {
    expect(backoffDelay(1, defaults.backoff, () => 0, 5000)).toBe(5000);
    expect(backoffDelay(7, defaults.backoff, () => 0, 5000)).toBe(30_000);
  });
});
