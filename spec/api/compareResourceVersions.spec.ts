import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { compareResourceVersions } from '../../src/api/kubernetesObject.js';

describe('compareResourceVersions', () => {
  it('compares decimal numbers of any length', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), fc.bigInt({ min: 0n, max: 2n ** 128n }), (a, b) => {
        expect(Math.sign(compareResourceVersions(String(a), String(b)) ?? NaN)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
    expect(compareResourceVersions('12', '12')).toBe(0);
    expect(compareResourceVersions('9', '10')).toBeLessThan(0);
    expect(compareResourceVersions('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
  });

  it.each(['', 'abc', '1a', '-1', '+1', '1.0', '007', ' 1', '1 ', '1\n', '0x1'])(
    'says nothing about %j, and does not throw (MC-05)',
    (version) => {
      expect(compareResourceVersions(version, '1')).toBeUndefined();
      expect(compareResourceVersions('1', version)).toBeUndefined();
      expect(compareResourceVersions(version, version)).toBeUndefined();
    },
  );
});
