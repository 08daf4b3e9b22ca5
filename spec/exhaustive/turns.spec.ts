import { describe, expect, it } from '@jest/globals';
import { everyChoice } from './everyChoice.js';
import { withMutant } from './mutants.js';
import { turnsExplorations } from './turns/explorations.js';
import { turnsMutants } from './turns/mutants.js';
import * as subject from './turns/subject.js';
import { isDeep, reached } from '../tier.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

describe('everyChoice', () => {
  it('makes every sequence of choices once', () => {
    const seen: string[] = [];
    const { runs, problem } = everyChoice((choose) => {
      const first = choose(2);
      seen.push(first === 0 ? '0' : `1${choose(3)}`);
      return undefined;
    });
    expect({ runs, problem, seen }).toEqual({ runs: 4, problem: undefined, seen: ['0', '10', '11', '12'] });
  });

  it('stops at the first problem', () => {
    expect(everyChoice((choose) => (choose(5) === 2 ? 'two' : undefined))).toEqual({ runs: 3, problem: 'two' });
  });
});

describe('turns and snapshots, in every order of what can happen', () => {
  it.each(Object.entries(turnsExplorations))(
    'tell everything once, in order, to everybody: %s',
    (name, { program, acts }) => {
      const { runs, problem } = everyChoice(program(subject, isDeep ? acts : acts - 1));
      reached(`turns, ${name}: every order in ${runs.toLocaleString('en')} runs`);
      expect(problem).toBeUndefined();
      expect(runs).toBeGreaterThan(isDeep ? 10_000 : 1_000);
    },
    timeoutMs,
  );

  it.each(turnsMutants)(
    'would find it if $name',
    async (mutant) => {
      const mutated = await withMutant<typeof subject>('spec/exhaustive/turns/subject.ts', mutant);
      const found = Object.values(turnsExplorations).some(
        ({ program, acts }) => everyChoice(program(mutated, Math.min(acts, isDeep ? 5 : 4))).problem !== undefined,
      );
      expect(found).toBe(true);
    },
    timeoutMs,
  );
});
