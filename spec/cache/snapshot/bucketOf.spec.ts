import { describe, expect, it } from '@jest/globals';

import { bucketCount, bucketOf } from '../../../src/cache/snapshotWith.js';

describe('bucketOf', () => {
  it.each<[string, (at: number) => string]>([
    ['a number at the end', (at) => `default/web-${at}`],
    ['a number in front', (at) => `namespace-${at}/web`],
    ['the suffix of a Deployment', (at) => `default/web-5d4f8c7b9d-${at.toString(36).padStart(5, '0')}`],
  ])('spreads keys that differ by %s', (_what, keyOf) => {
    const counts = new Array<number>(bucketCount).fill(0);
    for (let at = 0; at < 20 * bucketCount; at += 1) {
      const bucket = bucketOf(keyOf(at));
      counts[bucket] = (counts[bucket] ?? NaN) + 1;
    }
    expect(counts).toHaveLength(bucketCount);
    expect(Math.max(...counts)).toBeLessThan(60);
  });

  it('is a bucket for any key', () => {
    for (const key of ['', '\u{1f600}', 'x'.repeat(10_000)]) {
      expect(bucketOf(key)).toBeGreaterThanOrEqual(0);
      expect(bucketOf(key)).toBeLessThan(bucketCount);
    }
  });
});
