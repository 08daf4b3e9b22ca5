import { describe, expect, it } from '@jest/globals';

import { DeletedFinalStateUnknown, ExplicitKey } from '../../../src/api/kubernetesObject.js';

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
