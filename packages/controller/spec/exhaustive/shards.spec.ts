import { describe, expect, it } from '@jest/globals';
import { boundsOf, counterexampleText, explore, sayReached } from '../../../../spec/exhaustive/explore.js';
import { withMutant } from '../../../../spec/exhaustive/mutants.js';
import { shardsExplorations } from './shards/explorations.js';
import { shardsMutants } from './shards/mutants.js';
import { shardsMachine } from './shards/shardsMachine.js';
import * as subject from './shards/subject.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

describe('shards, in every order of what can happen', () => {
  it.each(Object.entries(shardsExplorations))(
    'are never worked on twice at once, and none is left out: %s',
    (name, { bounds, depth }) => {
      const explored = explore(shardsMachine(subject, bounds), boundsOf(depth));
      expect(counterexampleText(explored)).toBe('shards: no counterexample');
      sayReached(explored, name);
      expect(explored.states).toBeGreaterThan(5_000);
    },
    timeoutMs,
  );

  it.each(shardsMutants)(
    'would find it if $name',
    async (mutant) => {
      const mutated = await withMutant<typeof subject>('packages/controller/spec/exhaustive/shards/subject.ts', mutant);
      const { bounds, depth } = shardsExplorations.two;
      expect(explore(shardsMachine(mutated, bounds), { depth }).counterexample).toBeDefined();
    },
    timeoutMs,
  );
});
