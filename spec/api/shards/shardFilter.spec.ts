import { describe, expect, it } from '@jest/globals';
import { hashSlot, slotOfObject } from '../../../src/api/shardFilter.js';

describe('slotOfObject', () => {
  it('hashes the field, and the empty text where there is none', () => {
    const metadata = { uid: '6a1f', namespace: 'web' };
    expect(slotOfObject({ metadata }, 'uid')).toBe(hashSlot('6a1f'));
    expect(slotOfObject({ metadata }, 'namespace')).toBe(hashSlot('web'));
    expect(slotOfObject({ metadata: {} }, 'namespace')).toBe(hashSlot(''));
    expect(slotOfObject({}, 'uid')).toBe(hashSlot(''));
  });
});
