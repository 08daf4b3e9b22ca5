import { describe, expect, it } from '@jest/globals';
import { boundsOf, counterexampleText, explore, replay, sayReached } from './explore.js';
import { withMutant } from './mutants.js';
import type { Subject } from './reflector/carryOut.js';
import { reflectorExplorations } from './reflector/explorations.js';
import { goal, reflectorMutants } from './reflector/mutants.js';
import { reflectorMachine } from './reflector/reflectorMachine.js';
import * as subject from './reflector/subject.js';
import { isDeep } from '../tier.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

describe('the reflector, in every order of what can happen', () => {
  it.each(Object.entries(reflectorExplorations))(
    'skips no version, waits for nothing in vain, and says what is so: %s',
    (name, { bounds, depth }) => {
      const explored = explore(reflectorMachine(subject, bounds), boundsOf(depth));
      expect(counterexampleText(explored)).toBe('reflector: no counterexample');
      sayReached(explored, name);
      expect(explored.states).toBeGreaterThan(5_000);
    },
    timeoutMs,
  );

  const found: Readonly<Record<string, readonly ['streams' | 'periods', readonly string[]]>> = {
    'ended a watch on time, before the next one, which had to wait': [
      'streams',
      [
        'it is time (early)',
        'the stream opens at 12',
        'the stream brings a',
        '1 s passes',
        'the stream brings b',
        '1 s passes',
        '1 s passes',
        'the stream is complete',
        'the watch brings a bookmark at 12',
        'the watch is closed (early)',
        'the server is restored to version 11',
        '1 s pass, and it is time (early)',
        'the watch opens',
      ],
    ],
    'has listed beside a watch less than that brought': [
      'periods',
      [
        'it is time',
        'the server lists at 11, 1 behind',
        'the list ends (early)',
        'the watch opens',
        'the server is restored to version 11',
        '2 s pass, and it is time',
        'from the dead watch comes ADDED b 12',
        'beside: the server lists at 11',
        'beside: the list ends (early)',
        'the watch opens',
      ],
    ],
  };
  it.each(Object.entries(found))('doubts a server that has been restored and %s', (_, [name, moves]) => {
    expect(replay(reflectorMachine(subject, reflectorExplorations[name].bounds), moves).problem).toBeUndefined();
  });

  it.each(reflectorMutants.filter(({ deep }) => isDeep || deep !== true))(
    'would find it if $name: $finds',
    async (mutant) => {
      const mutated = await withMutant<Subject>('spec/exhaustive/reflector/subject.ts', mutant);
      const { bounds, depth } = reflectorExplorations[mutant.by];
      const { calm, ...machine } = reflectorMachine(mutated, bounds);
      const { counterexample } = explore(mutant.finds === goal && calm !== undefined ? { ...machine, calm } : machine, { depth });
      expect(counterexample?.problem).toContain(mutant.finds);
    },
    timeoutMs,
  );
});
