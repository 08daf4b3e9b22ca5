import { describe, expect, it } from '@jest/globals';
import { ComparisonUse, sampled } from '../../../src/client/decode/comparisonUse.js';

const times = (count: number, act: () => void): void => {
  for (let at = 0; at < count; at += 1) act();
};

/** How many objects in a row have to be unlike their versions before until comparing is of no use. */
function failuresUntilUseless(use: ComparisonUse): number {
  let count = 1;
  while (!use.failed()) count += 1;
  return count;
}

/** How many templates may be made of so many objects. */
const wanted = (use: ComparisonUse, objects: number): number =>
  Array.from({ length: objects }, () => use.wantsMore()).filter(Boolean).length;

describe('ComparisonUse', () => {
  it.each([
    [0, 3],
    [1, 3],
    [2, 4],
    [10, 8],
    [1_000, 33],
  ])('gives up later after %i objects that were like their versions before: with the failure number %i', (fits, failures) => {
    const use = new ComparisonUse();
    times(fits, () => use.fitted(true));
    expect(failuresUntilUseless(use)).toBe(failures);
  });

  it('counts for that no object that was like another one', () => {
    const use = new ComparisonUse();
    times(10, () => use.fitted(false));
    expect(failuresUntilUseless(use)).toBe(3);
  });

  it('makes few templates once it has given up, and all of them again after a few objects that were like their versions', () => {
    const use = new ComparisonUse();
    times(100, () => use.failed());
    expect(wanted(use, 2 * sampled)).toBe(2);
    times(3, () => use.fitted(true));
    expect(wanted(use, 2 * sampled)).toBe(2);
    use.fitted(true);
    expect(wanted(use, 2 * sampled)).toBe(2 * sampled);
  });

  it('makes few templates when 512 more were made than have been of use, each use allowing eight', () => {
    const use = new ComparisonUse();
    times(100, () => use.fitted(false));
    times(512, () => use.made());
    expect(wanted(use, sampled)).toBe(sampled);
    times(8, () => use.made());
    expect(wanted(use, sampled)).toBe(1);
    use.fitted(false);
    expect(wanted(use, sampled)).toBe(sampled);
    use.made();
    expect(wanted(use, sampled)).toBe(1);
  });

  it('is idle after 32 objects of lists that were like no other, and compares again now and then', () => {
    const use = new ComparisonUse();
    times(31, () => use.missed());
    expect(use.isIdle).toBe(false);
    use.missed();
    expect(use.isIdle).toBe(true);
    times(sampled - 1, () => use.skipped());
    expect(use.isIdle).toBe(true);
    use.skipped();
    expect(use.isIdle).toBe(false);
    times(7, () => use.missed());
    expect(use.isIdle).toBe(false);
    use.missed();
    expect(use.isIdle).toBe(true);
    use.fitted(false);
    expect(use.isIdle).toBe(false);
  });
});
