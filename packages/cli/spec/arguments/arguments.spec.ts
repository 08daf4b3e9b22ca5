import { describe, expect, it } from '@jest/globals';
import { CliError } from '../../src/cliError.js';
import { parseDuration, parsePort } from '../../src/arguments/argumentValues.js';

describe('parseDuration', () => {
  it.each([
    ['20s', 20_000],
    ['500ms', 500],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['0s', 0],
    ['8', 8_000],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '-8', 's', '-5s', '20 s', '5d', '1m-3s'])('refuses %j with the value and what was expected', (text) => {
    expect(() => parseDuration(text)).toThrow(CliError);
    expect(() => parseDuration(text)).toThrow(JSON.stringify(text));
  });
});

describe('parsePort', () => {
  it('reads a port', () => {
    expect(parsePort('0')).toBe(0);
    expect(parsePort('65535')).toBe(65_535);
  });

  it.each(['65536', '-1', '80a', '', '1e3'])('refuses %j', (text) => {
    expect(() => parsePort(text)).toThrow(`expected a port from 0 to 65535, got ${JSON.stringify(text)}`);
  });
});
