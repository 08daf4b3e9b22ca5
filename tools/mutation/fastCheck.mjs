// Properties as mutants are tried with them: the same cases for each mutant, at most a hundred, and no search for the smallest one that fails.
import fc from 'fast-check';

const most = 100;

export default {
  ...fc,
  assert: (property, { numRuns = most, ...parameters } = {}) =>
    fc.assert(property, { seed: 1, ...parameters, endOnFailure: true, numRuns: Math.min(numRuns, most) }),
};
