import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DeletedFinalStateUnknown,
  ExplicitKey,
  metaNamespaceKey,
  keyOfObjectName,
  type NamedObject,
  objectNameOf,
  splitMetaNamespaceKey,
} from '../../../src/api/kubernetesObject.js';

describe('DeletedFinalStateUnknown', () => {
  it('tells key, namespace and name with or without the last state (KF-10)', () => {
    const object = { metadata: { namespace: 'x', name: 'y' } };
    const withState = new DeletedFinalStateUnknown('a/b', object);
    expect([withState.key, withState.namespace, withState.name, withState.object]).toEqual(['a/b', 'a', 'b', object]);
    const without = new DeletedFinalStateUnknown('b');
    expect([without.key, without.namespace, without.name, without.object]).toEqual(['b', '', 'b', undefined]);
  });

  it('takes everything behind the first slash for the name (KF-10)', () => {
    const { namespace, name } = new DeletedFinalStateUnknown('a/b/c');
    expect({ namespace, name }).toEqual({ namespace: 'a', name: 'b/c' });
  });

  it('refuses a key that is no string', () => {
    expect(() => new DeletedFinalStateUnknown(7 as unknown as string)).toThrow(new TypeError('Expected `key` to be a string, got number'));
  });

  it('is told apart from an explicit key and from an object that looks like one', () => {
    const tombstone: unknown = new DeletedFinalStateUnknown('a/b');
    expect(tombstone instanceof DeletedFinalStateUnknown).toBe(true);
    expect(tombstone instanceof ExplicitKey).toBe(false);
    expect({ key: 'a/b', object: undefined } instanceof DeletedFinalStateUnknown).toBe(false);
  });
});

describe('ExplicitKey', () => {
  it('refuses a key that is no string', () => {
    expect(() => new ExplicitKey(undefined as unknown as string)).toThrow(new TypeError('Expected `key` to be a string, got undefined'));
  });

  it('is told apart from an object that looks like one', () => {
    expect((new ExplicitKey('a') as unknown) instanceof ExplicitKey).toBe(true);
    expect({ key: 'a' } instanceof ExplicitKey).toBe(false);
  });
});

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

describe('splitMetaNamespaceKey', () => {
  it.each([
    ['a/b', 'a', 'b'],
    ['b', '', 'b'],
    ['', '', ''],
    ['a/', 'a', ''],
    ['/b', '', 'b'],
  ])('splits %j (KF-06)', (key, namespace, name) => {
    expect(splitMetaNamespaceKey(key)).toEqual({ namespace, name });
  });

  it.each(['a/b/c', '//', 'a//b'])('refuses %j, which has two slashes (KF-06)', (key) => {
    expect(() => splitMetaNamespaceKey(key)).toThrow(
      new TypeError(`Expected \`key\` to be "name" or "namespace/name", got ${JSON.stringify(key)}`),
    );
  });
});
