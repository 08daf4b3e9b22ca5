import { describe, expect, it } from '@jest/globals';
import { type ColourChoice, wantsColour } from '../../src/output/line.js';

const stream = (isTTY: boolean) => ({ isTTY, write: () => undefined, on: () => undefined });

describe('wantsColour', () => {
  it.each<[boolean, Record<string, string>, ColourChoice, boolean]>([
    [true, {}, 'auto', true],
    [false, {}, 'auto', false],
    [true, { TERM: 'dumb' }, 'auto', false],
    [true, { NO_COLOR: '1' }, 'auto', false],
    [true, { NO_COLOR: '' }, 'auto', true],
    [false, { FORCE_COLOR: '1' }, 'auto', true],
    [true, { FORCE_COLOR: '0' }, 'auto', false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, 'auto', false],
    [false, { NO_COLOR: '1' }, 'always', true],
    [true, { FORCE_COLOR: '1' }, 'never', false],
  ])('on a terminal: %s, with %j and --color %s: %s', (isTTY, env, choice, expected) => {
    expect(wantsColour({ env, stdout: stream(isTTY) }, choice)).toBe(expected);
  });
});
