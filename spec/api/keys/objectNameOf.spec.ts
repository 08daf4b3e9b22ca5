import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  DeletedFinalStateUnknown,
  ExplicitKey,
  keyOfObjectName,
  type NamedObject,
  objectNameOf,
  splitMetaNamespaceKey,
} from '../../../src/api/kubernetesObject.js';

const withoutSlash = fc.string().filter((text) => !text.includes('/'));

describe('objectNameOf', () => {
  it('is the namespace and name of an object, and parses those of a tombstone and an explicit key (KF-05)', () => {
    expect(objectNameOf({ metadata: { namespace: 'a', name: 'b' } })).toEqual({ namespace: 'a', name: 'b' });
    expect(objectNameOf({ metadata: { name: 'b' } })).toEqual({ namespace: '', name: 'b' });
    expect(objectNameOf(new DeletedFinalStateUnknown('a/b'))).toEqual({ namespace: 'a', name: 'b' });
    expect(objectNameOf(new ExplicitKey('b'))).toEqual({ namespace: '', name: 'b' });
  });

  it('fails for a tombstone whose key cannot be parsed (KF-05)', () => {
    expect(() => objectNameOf(new DeletedFinalStateUnknown('a/b/c'))).toThrow(
      'Expected `key` to be "name" or "namespace/name", got "a/b/c"',
    );
  });

  it.each([
    [{}, 'The object has no metadata'],
    [{ metadata: null }, 'The object has no metadata'],
    [null, 'The object has no metadata'],
    ['a/b', 'The object has no metadata'],
    [{ metadata: {} }, 'The object has no metadata.name'],
    [{ metadata: { name: '' } }, 'The object has no metadata.name'],
    [{ metadata: { name: 7 } }, 'The object has no metadata.name'],
    [{ metadata: { name: 'a', namespace: 7 } }, 'Expected metadata.namespace to be a string, got number'],
  ])('says what %j lacks', (object, message) => {
    expect(() => objectNameOf(object as NamedObject)).toThrow(new TypeError(message));
  });
});

describe('keyOfObjectName', () => {
  it('prints no slash before a cluster-scoped name (KF-07)', () => {
    expect(keyOfObjectName({ namespace: '', name: 'n1' })).toBe('n1');
    expect(keyOfObjectName({ namespace: 'a', name: 'b' })).toBe('a/b');
  });

  it('is the inverse of splitMetaNamespaceKey for names without slashes (KF-07)', () => {
    fc.assert(
      fc.property(withoutSlash, withoutSlash, (namespace, name) => {
        expect(splitMetaNamespaceKey(keyOfObjectName({ namespace, name }))).toEqual({ namespace, name });
      }),
    );
  });
});
