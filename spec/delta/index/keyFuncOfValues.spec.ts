import { describe, expect, it } from '@jest/globals';
import { metaNamespaceKey } from '../../../src/cache/keys/metaNamespaceKey.js';
import { keyFuncOfValues } from '../../../src/delta/index/objectIntake.js';
import { createKeyMemory } from '../../../src/delta/index/keyMemory.js';
import type { Pod } from '../pods.js';

describe('keyFuncOfValues', () => {
  it('is what the values are kept by: a memory of keys, or the key function of objects as sent', () => {
    const keys = createKeyMemory();
    const keyFunc = ({ metadata }: Pod): string => metadata.name;
    const transform = (object: Pod): Pod => object;
    expect(keyFuncOfValues<Pod, Pod>({ keys, transform, keyFunc })).toBe(keys.keyOf);
    expect(keyFuncOfValues<Pod, Pod>({ keyFunc })).toBe(keyFunc);
    expect(keyFuncOfValues<Pod, Pod>({})).toBe(metaNamespaceKey);
    expect(keyFuncOfValues<Pod, Pod>({ transform, keyFunc })).toBeUndefined();
  });
});
