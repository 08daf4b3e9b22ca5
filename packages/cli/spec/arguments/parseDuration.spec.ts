import { describe, expect, it } from '@jest/globals';
import { CliError } from '../../src/cliError.js';
import { parseDuration } from '../../src/arguments/argumentValues.js';

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
