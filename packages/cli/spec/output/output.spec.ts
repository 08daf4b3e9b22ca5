import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError, InformerError } from 'rx-informer';
import { differenceLine, differencesOf } from '../../src/output/differencesOf.js';
import { textOf, fitLine, paint, wrapLine, textTable, type ColourChoice, wantsColour } from '../../src/output/line.js';
import { errorLine } from '../../src/output/errorLine.js';
import { linkLine } from '../../src/output/looks.js';
import { stateStyle } from '../../src/output/tableFormat.js';

const shown = (before: unknown, after: unknown): string[] => differencesOf(before, after).map((one) => textOf(differenceLine(one)));

describe('differencesOf', () => {
  it('names what came, went and changed', () => {
    expect(shown({ a: 1, b: { c: 'x' }, 'd.e/f': 1 }, { b: { c: 'y' }, 'd.e/f': 2, g: [1] })).toEqual([
      '- .a: 1',
      '~ .b.c: "x" → "y"',
      '~ ["d.e/f"]: 1 → 2',
      '+ .g: [1]',
    ]);
  });

  it('compares the items of lists by what identifies them', () => {
    const condition = (type: string, status: string) => ({ type, status });
    expect(
      shown(
        { conditions: [condition('Ready', 'False'), condition('Gone', 'True')] },
        { conditions: [condition('New', 'True'), condition('Ready', 'True')] },
      ),
    ).toEqual([
      '~ .conditions[Ready].status: "False" → "True"',
      '- .conditions[Gone]: {"type":"Gone","status":"True"}',
      '+ .conditions[New]: {"type":"New","status":"True"}',
    ]);
    expect(shown({ args: ['a', 'b'] }, { args: ['a', 'c', 'd'] })).toEqual(['~ .args[1]: "b" → "c"', '+ .args[2]: "d"']);
  });

  it('leaves out what every write changes', () => {
    expect(shown({ metadata: { resourceVersion: '1', generation: 1 } }, { metadata: { resourceVersion: '2', generation: 2 } })).toEqual([
      '~ .metadata.generation: 1 → 2',
    ]);
  });

  it('lets no terminal act on what a server sent', () => {
    expect(shown({}, { '\u001b[31m': '\u009b\u2028' })).toEqual(['+ ["\\u001b[31m"]: "\\u009b\\u2028"']);
  });

  it('finds nothing exactly where values are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(differencesOf(before, structuredClone(before))).toEqual([]);
        expect(differencesOf({ before }, { before: after }).length === 0).toBe(
          JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)),
        );
      }),
    );
  });
});

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

describe('errorLine', () => {
  it('says what a refused connection means', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(errorLine(error)).toBe(
      'connect ECONNREFUSED 127.0.0.1:1: nothing listens there; is the server running, and is the address right?',
    );
  });

  it('finds the reason behind an error that wraps it', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(errorLine(new Error('GET http://127.0.0.1:1/api failed', { cause }))).toContain('nothing listens there');
  });

  it('tells refused credentials from missing permission', () => {
    expect(errorLine(new ApiError({ code: 401, message: 'Unauthorized' }))).toContain('credentials (401)');
    expect(errorLine(new ApiError({ code: 403, message: 'pods is forbidden' }))).toBe('not allowed (403): pods is forbidden');
  });

  it('shows the cause of an informer error', () => {
    const cause = new ApiError({ code: 404, message: 'the server could not find the requested resource' });
    expect(errorLine(new InformerError({ code: 'ERR_LIST', message: 'listing failed', cause }))).toBe(
      'the server could not find the requested resource (404)',
    );
  });

  it('keeps to one line', () => {
    expect(errorLine(new Error('first\n    at stack'))).toBe('first');
    expect(errorLine('plain')).toBe('plain');
  });
});

const line = [{ text: 'abc', style: 'green' }, 'def'] as const;

describe('fitLine', () => {
  it.each([
    [6, 'abcdef'],
    [5, 'abcd…'],
    [3, 'ab…'],
    [1, '…'],
    [0, ''],
  ])('makes a line of at most %d characters', (width, expected) => {
    expect(textOf(fitLine(line, width))).toBe(expected);
  });

  it.each([
    [8, '世界x\u0301🎉z'],
    [7, '世界x\u0301…'],
    [4, '世…'],
    [2, '…'],
  ])('counts columns, of which wide characters take two and accents none: %d', (width, expected) => {
    expect(textOf(fitLine(['世界', 'x\u0301🎉z'], width))).toBe(expected);
  });
});

describe('wrapLine', () => {
  it('goes on in the next line, indented by two more, and keeps styles', () => {
    expect(wrapLine(line, 6)).toEqual([line]);
    expect(wrapLine([{ text: ' abc', style: 'green' }, 'defgh'], 5)).toEqual([
      [{ text: ' abc', style: 'green' }, 'd'],
      ['  ', 'efg'],
      ['  ', 'h'],
    ]);
    expect(wrapLine(['ab'], 1)).toEqual([['a'], ['', 'b']]);
    expect(wrapLine(['ab'], 0)).toEqual([['a'], ['', 'b']]);
    expect(wrapLine(['世界🎉'], 3)).toEqual([['世'], [' ', '界'], [' ', '🎉']]);
    expect(wrapLine(['世界'], 1)).toEqual([[], ['', '世'], ['', '界']]);
  });
});

describe('paint', () => {
  it('writes the codes of styles where colour is wanted', () => {
    expect(paint(line, true)).toBe('\u001b[32mabc\u001b[39mdef');
    expect(paint(line, false)).toBe('abcdef');
    expect(paint(fitLine(line, 3), true)).toBe('\u001b[32mab\u001b[39m…');
  });
});

const base = { since: 0, resourceVersion: '7', synced: true, degraded: [] } as const;

describe('linkLine', () => {
  it('says at which version the cache is live', () => {
    expect(linkLine({ ...base, state: 'watching' }, 0)).toBe('live at resource version 7');
  });

  it('says when and why it reconnects', () => {
    const error = new InformerError({ code: 'ERR_WATCH', message: 'socket hang up' });
    expect(linkLine({ ...base, state: 'retrying', attempt: 2, nextAttemptAt: 3_500, error }, 1_000)).toBe(
      'reconnecting in 2.5 s (attempt 3): socket hang up',
    );
  });

  it('counts what has arrived of a long list', () => {
    expect(linkLine({ ...base, state: 'listing', received: 12_500 }, 0)).toBe('listing: 12,500 objects so far');
    expect(linkLine({ ...base, state: 'listing' }, 0)).toBe('listing');
  });
});

describe('stateStyle', () => {
  it.each([
    ['Status', 'Running', 'green'],
    ['STATUS', 'CrashLoopBackOff', 'red'],
    ['Status', 'Init:0/1', 'yellow'],
    ['Status', 'Init:Error', 'red'],
    ['Status', 'ExitCode:3', 'red'],
    ['Status', 'Completed', 'dim'],
    ['Status', 'Ready,SchedulingDisabled', 'yellow'],
    ['Ready', '1/2', 'yellow'],
    ['Ready', '2/2', 'green'],
    ['Ready', 'False', 'red'],
    ['Status', 'something of its own', undefined],
    ['Name', 'Running', undefined],
  ])('of %s %s is %s', (column, cell, expected) => {
    expect(stateStyle(column, cell)).toBe(expected);
  });
});

describe('textTable', () => {
  it('makes each column as wide as its widest cell', () => {
    expect(
      textTable([
        ['NAME', 'AGE'],
        ['long-name', '5s'],
        ['x', '10m'],
      ]).map(textOf),
    ).toEqual(['NAME        AGE', 'long-name   5s', 'x           10m']);
  });

  it('counts columns of wide characters', () => {
    expect(
      textTable([
        ['世界', '1'],
        ['x', '2'],
      ]).map(textOf),
    ).toEqual(['世界   1', 'x      2']);
  });

  it('moves columns together where the terminal is narrow', () => {
    expect(textTable([['NAME', 'AGE']], 9).map(textOf)).toEqual(['NAME  AGE']);
    expect(textTable([['NAME', 'AGE']], 8).map(textOf)).toEqual(['NAME AGE']);
  });

  it('cuts lines that are longer than the terminal', () => {
    expect(textTable([['abcdef', 'ghi']], 8).map(textOf)).toEqual(['abcdef …']);
  });
});

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
