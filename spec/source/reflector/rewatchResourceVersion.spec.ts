import { describe, expect, it } from '@jest/globals';
import { rewatchResourceVersion } from '../../../src/source/reflector/rewatchResourceVersion.js';

describe('rewatchResourceVersion', () => {
  it.each([
    ['10', '12', true, '12'],
    ['55', '32', true, '32'],
    ['10', 'opaque', true, 'opaque'],
    ['10', '', true, '10'],
    ['10', undefined, true, '10'],
    ['0', '7', false, '0'],
  ])('after %j, an event at %p, ordered %p: %j (RW-21, RW-22)', (reached, version, ordered, expected) => {
    expect(rewatchResourceVersion(reached, version, ordered)).toBe(expected);
  });
});
