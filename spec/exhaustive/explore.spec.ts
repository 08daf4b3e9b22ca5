import { describe, expect, it } from '@jest/globals';
import { counterexampleText, explore, type Machine, replay } from './explore.js';

/** Two counters that are incremented up to `most`; the state `bad` is an error. */
function counters({ most = 3, bad, goal = 0 }: { most?: number; bad?: string; goal?: number } = {}): Machine<readonly [number, number]> {
  type Pair = readonly [number, number];
  const up = ([one, other]: Pair) => [
    ...(one < most ? [{ name: 'one', to: [one + 1, other] as Pair }] : []),
    ...(other < most ? [{ name: 'other', to: [one, other + 1] as Pair }] : []),
  ];
  return {
    ...{ name: 'counters', begin: [0, 0], moves: up },
    keyOf: (pair) => [...pair].sort((a, b) => a - b).join(),
    problemOf: (pair) => (pair.join() === bad ? `it is ${bad}` : undefined),
    calm: {
      within: 10,
      isReached: ([one, other]) => one + other >= goal,
      next: (pair) => up(pair)[0],
      timeOf: () => 100,
    },
  };
}

describe('explore', () => {
  it('tries everything, and what cannot be told apart once', () => {
    const { states, isWhole, depth, counterexample } = explore(counters());
    expect({ states, isWhole, counterexample }).toEqual({ states: 10, isWhole: true, counterexample: undefined });
    expect(depth).toBe(7);
  });

  it('goes as deep as it is told to', () => {
    expect(explore(counters(), { depth: 2 })).toMatchObject({ states: 4, isWhole: false, depth: 2 });
  });

  it('finds a shortest way to what must not be, which can be gone again', () => {
    const machine = counters({ bad: '1,1' });
    const found = explore(machine);
    expect(found.counterexample).toEqual({ problem: 'it is 1,1', moves: ['one', 'other'] });
    expect(replay(machine, ['one', 'other'])).toEqual({ state: [1, 1], problem: 'it is 1,1' });
    expect(counterexampleText(found)).toContain('  1. one\n   2. other\n');
    expect(counterexampleText(found)).toContain('    "one",\n    "other",\n');
  });

  it('finds a state from which the goal is not reached', () => {
    const { counterexample } = explore(counters({ goal: 7 }));
    expect(counterexample?.moves).toEqual(['one', 'then one', 'then one', 'then other', 'then other', 'then other']);
    expect(() => replay(counters({ goal: 7 }), counterexample?.moves ?? [])).not.toThrow();
  });

  it('says how long the longest way to the goal takes', () => {
    expect(explore(counters({ goal: 4 })).longestCalmMs).toBe(300);
  });

  it('says which moves there are where a trace names another one', () => {
    expect(() => replay(counters(), ['two'])).toThrow('Expected one of the moves one, other, got two');
  });
});
