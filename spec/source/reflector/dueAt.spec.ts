import { describe, expect, it } from '@jest/globals';
import { dueAt } from '../../../src/source/reflector/dueAt.js';
import type { State } from '../../../src/source/reflector/state.js';
import { listingOf, memoryOf, streamingOf, waitingOf, watchingOf } from './stepping.js';

const look = { version: '10', asked: false, dueAt: 5, failures: 0, ofOrder: false, again: false };
const period = { memory: memoryOf({ relistAt: 7 }) };

describe('dueAt', () => {
  it.each<[string, State, number]>([
    ['a list, which watches over its own silence', listingOf(period), Infinity],
    ['a streamed list', streamingOf({ ...period, dueAt: 9 }), 9],
    ['a watch', watchingOf({ dueAt: 9 }), 9],
    ['a watch with a look to come', watchingOf({ dueAt: 9, look }), 5],
    ['a watch with a look under way', watchingOf({ dueAt: 9, look: { ...look, asked: true } }), 9],
    ['a watch with a periodic list to come', watchingOf({ ...period, dueAt: 9 }), 7],
    ['a wait', waitingOf({ dueAt: 9 }), 9],
    ['a wait with a periodic list to come', waitingOf({ ...period, dueAt: 9 }), 7],
    ['a wait for a list', waitingOf({ ...period, dueAt: 9, next: { type: 'list', reason: 'error' } }), 9],
  ])('%s', (_, state, expected) => {
    expect(dueAt(state)).toBe(expected);
  });
});
