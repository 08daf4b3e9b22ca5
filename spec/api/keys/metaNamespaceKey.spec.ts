import { describe, expect, it } from '@jest/globals';

import { DeletedFinalStateUnknown, ExplicitKey, metaNamespaceKey } from '../../../src/api/kubernetesObject.js';

describe('metaNamespaceKey', () => {
  it('is namespace/name, and the name alone without a namespace (KF-01)', () => {
    expect(metaNamespaceKey({ metadata: { namespace: 'a', name: 'b' } })).toBe('a/b');
    expect(metaNamespaceKey({ metadata: { namespace: '', name: 'b' } })).toBe('b');
    expect(metaNamespaceKey({ metadata: { name: 'b' } })).toBe('b');
  });

  it('returns an explicit key as it is (KF-02)', () => {
    expect(metaNamespaceKey(new ExplicitKey('a/b/c'))).toBe('a/b/c');
    expect(metaNamespaceKey(new ExplicitKey(''))).toBe('');
  });

  it('returns the key that a tombstone carries, whatever its last state says (KF-04)', () => {
    expect(metaNamespaceKey(new DeletedFinalStateUnknown('a/b', { metadata: { name: 'c' } }))).toBe('a/b');
    expect(metaNamespaceKey(new DeletedFinalStateUnknown('a/b'))).toBe('a/b');
  });

  it('does not look at the uid: what is created again under a name has the same key (KF-08)', () => {
    const first = { metadata: { namespace: 'a', name: 'b', uid: '1' } };
    const second = { metadata: { namespace: 'a', name: 'b', uid: '2' } };
    expect(metaNamespaceKey(first)).toBe(metaNamespaceKey(second));
  });

  it('throws for an object without metadata (KF-03)', () => {
    expect(() => metaNamespaceKey({})).toThrow(new TypeError('The object has no metadata'));
  });
});
