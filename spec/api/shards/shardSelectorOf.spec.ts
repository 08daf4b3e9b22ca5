import { describe, expect, it } from '@jest/globals';
import { shardSelectorOf } from '../../../src/api/shardFilter.js';

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
