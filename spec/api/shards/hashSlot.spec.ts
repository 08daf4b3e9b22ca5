import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Fnv1a64, hashSlot, slotCount } from '../../../src/api/shardFilter.js';

/** FNV-1a as its definition says it. */
function reference(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) hash = BigInt.asUintN(64, (hash ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n);
  return hash;
}

describe('Fnv1a64', () => {
  it('is FNV-1a of 64 bits', () => {
    // From the test vectors of its authors.
    expect(String(new Fnv1a64())).toBe('cbf29ce484222325');
    expect(String(new Fnv1a64().pushText('a'))).toBe('af63dc4c8601ec8c');
    expect(String(new Fnv1a64().pushText('foobar'))).toBe('85944171f73967e8');
  });

  it('is what its definition says, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(String(new Fnv1a64().pushText(text))).toBe(reference(text).toString(16).padStart(16, '0'));
        expect(hashSlot(text)).toBe(Number(reference(text) / (2n ** 64n / BigInt(slotCount))));
      }),
    );
  });
});
