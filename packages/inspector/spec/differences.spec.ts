import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differencesOf, undone } from '../src/differences.js';

/** Names that every object inherits are among them. */
const names = fc
  .oneof(fc.constantFrom('a', 'b', 'constructor', 'toString'), fc.string({ maxLength: 3 }))
  .filter((name) => name !== '__proto__');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, true, 0, 1, '', 'x'), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

describe('differencesOf', () => {
  it('has what makes the version before from the one after it', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const differences = differencesOf(before, after);
        // As in the timeline, which keeps them as text.
        expect(undone(after, JSON.parse(JSON.stringify(differences)) as typeof differences)).toEqual(before);
        expect(differencesOf(after, structuredClone(after))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('names each part that differs by its path', () => {
    const before = { spec: { replicas: 1, ports: [{ port: 80 }, { port: 81 }] }, data: { old: 'x' } };
    const after = { spec: { replicas: 2, ports: [{ port: 80 }, { port: 82 }] }, data: { constructor: 'y' } };
    expect(differencesOf(before, after)).toEqual([
      { path: ['spec', 'replicas'], before: 1, after: 2 },
      { path: ['spec', 'ports', '1', 'port'], before: 81, after: 82 },
      { path: ['data', 'old'], before: 'x' },
      { path: ['data', 'constructor'], after: 'y' },
    ]);
  });
});
