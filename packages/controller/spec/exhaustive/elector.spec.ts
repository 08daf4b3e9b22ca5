import { describe, expect, it } from '@jest/globals';
import { electorMachine } from './elector/electorMachine.js';
import { defects, electorExplorations } from './elector/explorations.js';
import { electorMutants } from './elector/mutants.js';
import * as subject from './elector/subject.js';
import type { Subject } from './elector/world.js';
import { boundsOf, counterexampleText, explore, replay, sayReached } from '../../../../spec/exhaustive/explore.js';
import { withMutant } from '../../../../spec/exhaustive/mutants.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

describe('leader election, in every order of what can happen', () => {
  it.each(Object.entries(electorExplorations))(
    'has one leader at most, tokens that rise, and no write after the next term has begun: %s',
    (name, { bounds, depth }) => {
      const explored = explore(electorMachine(subject, bounds), boundsOf(depth));
      expect(counterexampleText(explored)).toBe('elector: no counterexample');
      sayReached(explored, name);
      expect(explored.states).toBeGreaterThan(5_000);
    },
    timeoutMs,
  );

  it.each(defects)('had a defect, and finds it where its mend is left out: $name', async ({ name, bounds, mend, problem, moves }) => {
    const entry = 'packages/controller/spec/exhaustive/elector/subject.ts';
    const before = mend === undefined ? subject : await withMutant<Subject>(entry, { name, ...mend });
    const machine = electorMachine(before, bounds);
    const { counterexample } = explore(machine, { depth: 8 });
    expect(counterexample?.problem).toBe(problem);
    expect(counterexample?.moves.length).toBeLessThanOrEqual(moves.length);
    expect(replay(machine, moves).problem).toBe(problem);
  });

  it('leaves a deleted lease to whoever may have taken or renewed it unseen', () => {
    const machine = electorMachine(subject, electorExplorations.pair.bounds);
    const beginnings = [
      ['c1 tries', '3 s pass', 'c0 tries', 'c0 is answered', 'c0 is answered', 'somebody deletes the lease', 'c1 is answered'],
      ['c1 tries', '3 s pass', 'c0 tries', 'c1 is answered', 'c1 is answered', 'somebody deletes the lease', 'c0 is answered'],
    ];
    for (const names of beginnings) expect(replay(machine, names).state.candidates.every(({ flight }) => flight === undefined)).toBe(true);
  });

  it.each(electorMutants)(
    'would find it if $name',
    async (mutant) => {
      const mutated = await withMutant<Subject>('packages/controller/spec/exhaustive/elector/subject.ts', mutant);
      const { bounds, depth } = electorExplorations[mutant.by];
      expect(explore(electorMachine(mutated, bounds), { depth }).counterexample).toBeDefined();
    },
    timeoutMs,
  );
});
