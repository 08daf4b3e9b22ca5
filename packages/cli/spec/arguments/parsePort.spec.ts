import { describe, expect, it } from '@jest/globals';
import { parsePort } from '../../src/arguments/argumentValues.js';

describe('parsePort', () => {
  it('reads a port', () => {
    expect(parsePort('0')).toBe(0);
    expect(parsePort('65535')).toBe(65_535);
  });

  it.each(['65536', '-1', '80a', '', '1e3'])('refuses %j', (text) => {
    expect(() => parsePort(text)).toThrow(`expected a port from 0 to 65535, got ${JSON.stringify(text)}`);
  });
});
