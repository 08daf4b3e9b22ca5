import { describe, expect, it } from '@jest/globals';
import { ApiError, InformerError } from 'rx-informer';
import type { Trace } from 'rx-informer/pipeline';
import { createDemoStory, demoSummary } from '../../src/demo/demoCommand.js';
import { added, changeOf, healthOf, stateOf, podOf } from './stateOf.js';
import { createSilence } from '../../src/demo/silence.js';

describe('createDemoStory', () => {
  it('tells what is new, and figures below each other', () => {
    const story = createDemoStory();
    const begun = story(stateOf(), 0);
    const listed = [
      [500, changeOf('list', added('a', 'b'))],
      [600, healthOf('watching', 600)],
    ] as const;
    const lines = [...begun, ...story(stateOf(...listed), 1_000), ...story(stateOf(...listed), 2_000)];
    expect(lines.slice(1)).toEqual([
      '    time  health$   pods  added  updated  deleted  synced  relists  requests  lost',
      '   0.0 s  starting     0      0        0        0       0        0         0     ?',
      '   0.5 s  * 2 pods listed, now watched',
      '   1.0 s  watching     2      2        0        0       1        0         0     ?',
      '   2.0 s  watching     2      2        0        0       1        0         0     ?',
    ]);
  });
});

describe('demoSummary', () => {
  it('counts', () => {
    const check = { type: 'check', check: { at: 0, count: 3, lost: 0 } } as const;
    const state = stateOf([0, changeOf('list', added('a'))], [1, check], [2, { type: 'fault', text: 'k' }]);
    expect(demoSummary(state, 20_000).slice(0, 2)).toEqual([
      'In 20 s: 1 event (1 added, 0 updated, 0 deleted),',
      '1 fault, 0 relists, 0 requests, 0 lost in 1 comparison with the server.',
    ]);
    expect(demoSummary(stateOf(), 0)[1]).toMatch(/never compared with the server\.$/);
  });
});

const deleted = { type: 'deleted', key: 'default/a', object: podOf('a'), finalStateUnknown: false, inferred: false } as const;
const tick = { type: 'tick', health: undefined } as const;

describe('demoStep', () => {
  it('folds changes into rows, counters and marbles', () => {
    const state = stateOf([10, changeOf('list', added('a', 'b'))], [20, changeOf('watch', [deleted])]);
    expect(state.counts).toEqual({ added: 2, updated: 0, deleted: 1, synced: 1 });
    expect([...state.rows].map(([key, { type }]) => [key, type])).toEqual([
      ['default/a', 'deleted'],
      ['default/b', 'added'],
    ]);
    expect(state.marbles).toEqual([
      { at: 10, type: 'added' },
      { at: 10, type: 'added' },
      { at: 10, type: 'synced' },
      { at: 20, type: 'deleted' },
    ]);
  });

  it('shows a deleted pod for a moment, and forgets marbles that no lane shows', () => {
    const before = stateOf([0, changeOf('list', added('a'))], [0, changeOf('watch', [deleted])], [1_200, tick]);
    expect([before.rows.size, before.marbles.length]).toEqual([1, 3]);
    const after = stateOf([0, changeOf('list', added('a'))], [0, changeOf('watch', [deleted])], [1_201, tick], [60_001, tick]);
    expect([after.rows.size, after.marbles.length]).toEqual([0, 0]);
  });

  it('counts the second list as a relist, and says what it found', () => {
    const list = changeOf('list', added('a'));
    const state = stateOf([0, list], [1_000, list], [2_000, changeOf('list', [])]);
    expect(state.relists).toBe(2);
    expect(state.story.map(({ text }) => text)).toEqual([
      '1 pod listed, now watched',
      'listed again: missed changes of 1 pod found',
      'listed again: nothing was missed',
    ]);
  });

  it('tells of a failure once, by its innermost reason, and of its end', () => {
    const refused = new InformerError({
      code: 'ERR_WATCH',
      message: 'x',
      cause: new Error('GET /api/v1/pods failed: connect ECONNREFUSED'),
    });
    const expired = new InformerError({ code: 'ERR_WATCH', message: 'x', cause: new ApiError({ code: 410, message: 'too old' }) });
    const state = stateOf(
      [0, healthOf('watching', 0)],
      [1, healthOf('retrying', 1, { attempt: 1, error: refused })],
      [2, healthOf('retrying', 1, { attempt: 2, error: refused })],
      [3, healthOf('watching', 3)],
      [4, healthOf('retrying', 4, { attempt: 1, error: expired })],
    );
    expect(state.story.map(({ text }) => text)).toEqual(['retrying: connect ECONNREFUSED', 'watching again', 'retrying: 410 too old']);
    expect(state.links.map((link) => link.state)).toEqual(['watching', 'retrying', 'retrying', 'watching', 'retrying']);
  });

  it('remembers the most that any comparison has found', () => {
    const check = (lost: number) => ({ type: 'check', check: { at: 0, count: 3, lost } }) as const;
    const { checks, maxLost } = stateOf([0, check(0)], [1, check(2)], [2, check(0)]);
    expect([checks, maxLost]).toEqual([3, 2]);
  });
});

type TraceStep = Parameters<Trace>[0];

const about = { name: 'pods', resource: 'pods', scope: '', id: 1, verb: 'watch' } as const;
const requested = (at: number): TraceStep => ({ stage: 'request', at, ...about, request: {} });
const line = (at: number): TraceStep => ({ stage: 'line', at, ...about, event: { type: 'ADDED', object: {} } });
const ended = (at: number, outcome: 'aborted' | 'failed'): TraceStep => ({ stage: 'end', at, ...about, outcome, lastedMs: at });

describe('createSilence', () => {
  it.each([
    ['nothing came for the whole time', [requested(0), line(1_000), ended(5_000, 'aborted')], true],
    ['nothing ever came', [requested(0), ended(4_000, 'aborted')], true],
    ['something came just before it was given up', [requested(0), line(4_900), ended(5_000, 'aborted')], false],
    ['the connection was cut', [requested(0), ended(5_000, 'failed')], false],
    ['an earlier watch was silent', [requested(0), ended(4_000, 'aborted'), requested(4_001), ended(5_000, 'aborted')], false],
  ])('goes by the last line: %s', (_, steps, expected) => {
    const isSilent = createSilence(4_000);
    expect(steps.map(isSilent).at(-1)).toBe(expected);
  });
});
