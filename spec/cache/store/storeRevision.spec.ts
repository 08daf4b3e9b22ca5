import { describe, expect, it } from '@jest/globals';

import { createStore } from '../../../src/cache/store/createStore.js';
import { revisionOf } from '../../../src/cache/store/storeRevision.js';

describe('revisionOf', () => {
  it('is one counter for each store, whoever asks', () => {
    const [a, b] = [{}, {}];
    revisionOf(a).value += 1;
    expect(revisionOf(a)).toBe(revisionOf(a));
    expect([revisionOf(a).value, revisionOf(b).value]).toEqual([1, 0]);
  });

  it('is 0 for a store that was never written to, and goes up by one for each write', () => {
    const store = createStore<string>({ keyFunc: (text) => text });
    expect(revisionOf(store).value).toBe(0);
    store.add('a');
    store.replace(['b', 'c', 'd'], '1');
    expect(revisionOf(store).value).toBe(2);
    store.bookmark('2');
    expect(revisionOf(store).value).toBe(2);
  });

  it('counts initial objects as a write', () => {
    expect(revisionOf(createStore<string>({ keyFunc: (text) => text, initialObjects: ['a', 'b'] })).value).toBe(1);
  });
});
