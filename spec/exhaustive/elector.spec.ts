import { describe, expect, it } from '@jest/globals';
import { electorMachine } from './elector/electorMachine.js';
import { defects, electorExplorations } from './elector/explorations.js';
import { electorMutants } from './elector/mutants.js';
import * as subject from './elector/subject.js';
import type { Subject } from './elector/world.js';
import { boundsOf, counterexampleText, explore } from './explore.js';
import { withMutant } from './mutants.js';

/** Far more than it takes: how fast it is, is not what is tested. */
const timeoutMs = 3_600_000;

describe('leader election, in every order of what can happen', () => {
  it.each(Object.entries(electorExplorations))(
    'has one leader at most, tokens that rise, and no write after the next term has begun: %s',
    (_, { bounds, depth }) => {
      const explored = explore(electorMachine(subject, bounds), boundsOf(depth));
      expect(counterexampleText(explored)).toBe('elector: no counterexample');
      expect(explored.states).toBeGreaterThan(30_000);
    },
    timeoutMs,
  );

  it.each(Object.entries(defects))('had a defect, and finds it: %s', (_, bounds) => {
    expect(explore(electorMachine(subject, bounds), { depth: 8 }).counterexample).toBeDefined();
  });

  it.each(electorMutants)(
    'would find it if $name',
    async (mutant) => {
      const mutated = await withMutant<Subject>('spec/exhaustive/elector/subject.ts', mutant);
      const found = Object.values(electorExplorations).some(
        ({ bounds }) => explore(electorMachine(mutated, bounds), { depth: 8 }).counterexample !== undefined,
      );
      expect(found).toBe(true);
    },
    timeoutMs,
  );
});
