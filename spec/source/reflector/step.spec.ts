import { describe, expect, it } from '@jest/globals';
import { begin, contextOf, listingOf, memoryOf, stepped, streamingOf, waitingOf, watchingOf } from './stepping.js';
import { nothingKnown, step, dueAt } from '../../../src/source/reflector/step.js';
import type { Happening, State } from '../../../src/source/reflector/state.js';

const dueNow = { type: 'due' } as const;

describe('step', () => {
  it('begins with a list, streamed where that can be (WL-02, RL-01)', () => {
    const first = waitingOf({ memory: nothingKnown, next: { type: 'list', reason: 'first' } });
    expect(stepped(first, dueNow).done).toEqual(['listing', 'init first', 'WATCHLIST most recent']);
    expect(stepped(first, dueNow, { options: { listStrategy: 'list' } }).done).toEqual(['listing', 'init first', 'LIST 0 limit=500']);
  });

  it('begins a streamed list as what has shown no sign of life (WL-02)', () => {
    const { state, effects } = step(waitingOf({ next: { type: 'list', reason: 'error' } }), dueNow, begin, contextOf());
    expect(state).toMatchObject({
      ...{ type: 'streaming', reason: 'error', resourceVersion: '10', restarted: false, framed: false, events: 0 },
      ...{ startedAt: begin, openedAt: undefined, endsAt: begin + 300_000, dueAt: begin + 60_000 },
    });
    expect(effects.flatMap((effect) => (effect.do === 'watch' ? [effect.request] : []))).toEqual([
      {
        ...{ resourceVersion: '10', allowWatchBookmarks: true, timeoutSeconds: 300 },
        ...{ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' },
      },
    ]);
  });

  it.each([
    ['', false],
    ['0', false],
    ['10', true],
  ])('begins a watch from version %j, whose events come in an order: %j (RW-22)', (version, ordered) => {
    expect(stepped(waitingOf({ memory: memoryOf({ version }) }), dueNow).state).toMatchObject({
      ...{ type: 'watching', startVersion: version, version, ordered, events: 0 },
      ...{ startedAt: begin, openedAt: undefined, endsAt: begin + 300_000, dueAt: begin + 75_000 },
    });
  });

  it('makes a list due when that is wanted', () => {
    const { state, done } = stepped(watchingOf(), { type: 'relistWanted' }, { ms: 5 });
    expect(state).toEqual(watchingOf({ memory: memoryOf({ relistAt: begin + 5 }) }));
    expect(done).toEqual([]);
  });

  it('waits until it is time (RX-01)', () => {
    const waiting = waitingOf({ dueAt: begin + 800 });
    expect(stepped(waiting, dueNow, { ms: 799 })).toEqual({ state: waiting, done: [] });
    expect(stepped(waiting, dueNow, { ms: 800 })).toMatchObject({ state: { type: 'watching' }, done: ['WATCH 10'] });
  });

  it('puts a periodic list that is due in the place of the watch that it waits for, and of nothing else', () => {
    const memory = memoryOf({ relistAt: begin + 100 });
    const redirected = stepped(waitingOf({ dueAt: begin + 800, memory }), dueNow, { ms: 100 });
    expect(redirected.state).toMatchObject({ type: 'waiting', dueAt: begin + 800, next: { type: 'list', reason: 'period' } });
    expect(stepped(redirected.state, dueNow, { ms: 800, options: { listStrategy: 'list' } }).done).toEqual([
      'listing',
      'init period 10',
      'LIST most recent limit=500',
    ]);
    const list = waitingOf({ dueAt: begin + 800, memory, next: { type: 'list', reason: 'error' } });
    expect(stepped(list, dueNow, { ms: 800 }).done).toContain('init error 10');
  });

  it('looks at the version of a server that is doubted, once its watch is open or a second has passed', () => {
    const { state } = stepped(waitingOf({ memory: memoryOf({ doubtedAt: '10' }) }), dueNow);
    expect(state).toMatchObject({ type: 'watching', look: { version: '10', asked: false, dueAt: begin + 1000, ofOrder: false } });
    expect(stepped(waitingOf(), dueNow).state).toMatchObject({ look: undefined });
  });

  it("draws a watch's time anew (RW-01, RW-02)", () => {
    const seconds = (chance: number): unknown =>
      step(waitingOf(), dueNow, begin, contextOf({ random: () => chance })).effects.map(
        (effect) => effect.do === 'watch' && effect.request,
      );
    expect(seconds(0)).toEqual([{ resourceVersion: '10', allowWatchBookmarks: true, timeoutSeconds: 300 }]);
    expect(seconds(0.999)).toEqual([{ resourceVersion: '10', allowWatchBookmarks: true, timeoutSeconds: 599 }]);
  });

  it('reports what a trace has thrown, in any state', () => {
    for (const state of [waitingOf(), listingOf(), streamingOf(), watchingOf()]) {
      const { done, state: after } = stepped(state, { type: 'traceFailed', error: new Error('broken') });
      expect(done).toEqual([`${state.memory.link} ERR_HANDLER`]);
      expect(after).toEqual(state);
    }
  });

  it('changes nothing where something comes that the state does not wait for', () => {
    const happenings: Happening<never>[] = [
      ...[{ type: 'closed' } as const, { type: 'items', items: [] } as const, { type: 'looked', resourceVersion: '1' } as const],
      ...[{ type: 'lookFailed', error: 0 } as const, { type: 'relisted', resourceVersion: '1' } as const],
    ];
    const deaf: [State, readonly number[]][] = [
      [waitingOf(), [0, 1, 2, 3, 4]],
      [listingOf(), [0, 2, 3, 4]],
      [streamingOf(), [1, 2, 3, 4]],
      [watchingOf(), [1, 2, 3, 4]],
    ];
    for (const [state, indexes] of deaf) {
      for (const index of indexes) expect(stepped(state, happenings[index] ?? dueNow)).toEqual({ state, done: [] });
    }
  });

  it('changes nothing that it was given', () => {
    const state = Object.freeze(watchingOf({ memory: Object.freeze(memoryOf()) }));
    expect(stepped(state, { type: 'closed' }, { ms: 5000 }).state).not.toBe(state);
  });
});

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
