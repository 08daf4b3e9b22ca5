import { describe, expect, it } from '@jest/globals';
import { boundsOf, counterexampleText, explore, sayReached } from '../../../../spec/exhaustive/explore.js';
import { withMutant } from '../../../../spec/exhaustive/mutants.js';
import { relayExplorations } from './relay/explorations.js';
import { relayMutants } from './relay/mutants.js';
import { relayMachine } from './relay/relayMachine.js';
import * as subject from './relay/subject.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

describe('cursors and rights of a relay, in every order of what can happen', () => {
  it.each(Object.entries(relayExplorations))(
    'show a user all that he may see, and nothing else: %s',
    (name, { bounds, depth }) => {
      const exploration = explore(relayMachine(subject, bounds), boundsOf(depth));
      expect(counterexampleText(exploration)).toBe('relay: no counterexample');
      sayReached(exploration, name);
      expect(exploration.states).toBeGreaterThan(5_000);
    },
    timeoutMs,
  );

  it.each(relayMutants)(
    'would find it if $name',
    async (mutant) => {
      const mutated = await withMutant<typeof subject>('packages/relay/spec/exhaustive/relay/subject.ts', mutant);
      const { bounds, depth } = relayExplorations.one;
      expect(explore(relayMachine(mutated, bounds), { depth }).counterexample).toBeDefined();
    },
    timeoutMs,
  );
});
