import { describe, expect, it } from '@jest/globals';
import { createKeyMemory } from '../../../src/delta/index/keyMemory.js';
import { pod } from '../pods.js';

describe('createKeyMemory', () => {
  it('leaves a value as it is that tells its key by itself', () => {
    const keys = createKeyMemory();
    const value = pod('a', '1');
    expect(keys.remember('default/a', value)).toBe(value);
    expect(keys.keyOf(value)).toBe('default/a');
  });

  it('remembers the key of a value that has none', () => {
    const keys = createKeyMemory();
    const value = { value: 'x' };
    expect(keys.remember('default/a', value)).toBe(value);
    expect(keys.keyOf(value)).toBe('default/a');
    expect(keys.remember('default/a', value)).toBe(value);
  });

  it.each([
    ['by itself', pod('b', '1')],
    ['since it is stored under that', { value: 'x' }],
  ])('copies a value that tells another key %s', (_, value: object) => {
    const keys = createKeyMemory();
    keys.remember('default/b', value);
    const copy = keys.remember('default/a', value);
    expect(copy).not.toBe(value);
    expect(copy).toEqual(value);
    expect([keys.keyOf(copy), keys.keyOf(value)]).toEqual(['default/a', 'default/b']);
  });

  it('copies a value that it has not seen, and that tells another key', () => {
    const keys = createKeyMemory();
    const value = pod('b', '1');
    const copy = keys.remember('default/a', value);
    expect(copy).not.toBe(value);
    expect([keys.keyOf(copy), keys.keyOf(value)]).toEqual(['default/a', 'default/b']);
  });

  it('knows no other keys', () => {
    expect(() => createKeyMemory().keyOf({})).toThrow();
  });
});
