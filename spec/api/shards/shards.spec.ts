import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Fnv1a64, hashSlot, slotCount, slotOfObject, shardSelectorOf } from '../../../src/api/shardFilter.js';

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

describe('shardSelectorOf', () => {
  it('makes one range of neighbours, and has an end above all hashes', () => {
    const lower = new Set(Array.from({ length: 64 }, (_, slot) => slot));
    expect(shardSelectorOf({ by: 'uid', slots: lower })).toBe(
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
    );
    expect(shardSelectorOf({ by: 'namespace', slots: new Set([126, 127, 0]) })).toBe(
      "shardRange(object.metadata.namespace, '0x0000000000000000', '0x0200000000000000') || " +
        "shardRange(object.metadata.namespace, '0xfc00000000000000', '0x10000000000000000')",
    );
  });
});
