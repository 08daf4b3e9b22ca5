import { describe, expect, it } from '@jest/globals';
import { createDemoStory, demoSummary } from '../../src/demo/demoCommand.js';
import { added, changeOf, healthOf, stateOf } from './stateOf.js';

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
