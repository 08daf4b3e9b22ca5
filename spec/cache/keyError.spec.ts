import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';

import { createStore } from '../../src/cache/store/memoryStore.js';
import { KeyError } from '../../src/cache/keyFunc.js';

const secret = { kind: 'Secret', metadata: { namespace: 'a', name: 'b' }, data: { password: 'hunter2' } };

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('KeyError', () => {
  it('wraps what the key function threw, with the object (ST-05)', () => {
    const cause = new Error('no key today');
    const store = createStore<object>({
      keyFunc: () => {
        throw cause;
      },
    });
    for (const work of [() => store.add(secret), () => store.update(secret), () => store.delete(secret), () => store.get(secret)]) {
      const error = thrownBy(work);
      expect(error).toBeInstanceOf(KeyError);
      expect(error).toMatchObject({ name: 'KeyError', message: 'Unable to compute the key of Secret a/b: no key today', cause });
      expect((error as KeyError).object).toBe(secret);
    }
    expect(thrownBy(() => store.replace([secret], '1'))).toBeInstanceOf(KeyError);
  });

  it('says that the object has no metadata (KF-03)', () => {
    const error = thrownBy(() => createStore<object>().add({ kind: 'Pod' }));
    expect(error).toMatchObject({ message: 'Unable to compute the key of Pod without a name: The object has no metadata' });
    expect((error as KeyError).cause).toBeInstanceOf(TypeError);
  });

  it('prints nothing of the object beyond kind, namespace and name', () => {
    const error = new KeyError(secret, new Error('why'));
    expect(inspect(error)).not.toContain('hunter2');
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['hunter2', 'a string'],
    [['hunter2'], 'an array without a name'],
    [{ metadata: { name: 'n1' } }, 'an object n1'],
    [{ kind: 7, metadata: null }, 'an object without a name'],
  ])('names %j', (object, name) => {
    expect(new KeyError(object, 'why').message).toBe(`Unable to compute the key of ${name}: why`);
  });

  it('passes on one that the key function threw, as it is', () => {
    const own = new KeyError(secret, 'why');
    const store = createStore<object>({
      keyFunc: () => {
        throw own;
      },
    });
    expect(thrownBy(() => store.add({ kind: 'Pod' }))).toBe(own);
  });

  it('is short, however long the names are', () => {
    const { message } = new KeyError({ kind: 'k'.repeat(1000), metadata: { namespace: 's'.repeat(1000), name: 'n'.repeat(1000) } }, 'why');
    expect(message).toBe(`Unable to compute the key of ${'k'.repeat(253)} ${'s'.repeat(253)}/${'n'.repeat(253)}: why`);
  });

  it('is no other error', () => {
    expect(new Error('x')).not.toBeInstanceOf(KeyError);
  });
});
