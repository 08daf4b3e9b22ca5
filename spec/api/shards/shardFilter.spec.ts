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

  it('takes a field that is no text, which no API server sends, as none', () => {
    for (const uid of [5, null, {}, [['a']]])
      expect(slotOfObject({ metadata: { uid: uid as unknown as string } }, 'uid')).toBe(hashSlot(''));
  });
});
