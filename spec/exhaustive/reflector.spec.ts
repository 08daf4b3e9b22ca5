import { describe, expect, it } from '@jest/globals';
import { boundsOf, counterexampleText, explore } from './explore.js';
import { withMutant } from './mutants.js';
import type { Subject } from './reflector/carryOut.js';
import { reflectorExplorations } from './reflector/explorations.js';
import { goal, reflectorMutants } from './reflector/mutants.js';
import { reflectorMachine } from './reflector/reflectorMachine.js';
import * as subject from './reflector/subject.js';

/** Far more than it takes: how fast it is, is not what is tested. */
const timeoutMs = 3_600_000;

describe('the reflector, in every order of what can happen', () => {
  it.each(Object.entries(reflectorExplorations))(
    'skips no version, waits for nothing in vain, and says what is so: %s',
    (_, { bounds, depth }) => {
      const explored = explore(reflectorMachine(subject, bounds), boundsOf(depth));
      expect(counterexampleText(explored)).toBe('reflector: no counterexample');
      expect(explored.states).toBeGreaterThan(30_000);
    },
    timeoutMs,
  );

  it.each(reflectorMutants)(
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
