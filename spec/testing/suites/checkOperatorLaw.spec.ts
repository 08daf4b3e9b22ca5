import { describe, expect, it } from '@jest/globals';
import { filter, identity, map, mergeMap } from 'rxjs';
import type { ResourceChange } from '../../../src/api/events.js';
import { filterObjects } from '../../../src/operators/filters/filterObjects.js';
import type { SampleObject } from '../../../src/testing/fakes/randomHistory.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';

const isRunning = ({ status }: SampleObject): boolean => status.phase === 'Running';
type Change = ResourceChange<SampleObject>;

describe('checkOperatorLaw', () => {
  it('accepts what obeys the law, whether it emits changes or events', () => {
    checkOperatorLaw({ operator: () => identity });
    checkOperatorLaw({ operator: () => mergeMap(({ events }: Change) => events) });
    checkOperatorLaw({
      operator: () => filterObjects(isRunning),
      expected: (objects) => new Map([...objects].filter(([, object]) => isRunning(object))),
    });
  });

  it.each([
    ['loses updates', filter(({ events }: Change) => events.some(({ type }) => type !== 'updated')), 'The law is broken for seed 1 after'],
    ['emits twice', mergeMap((change: Change) => [change, change]), 'The output for seed 1 is inconsistent after'],
    [
      'puts deletions last',
      map((change: Change) => ({
        ...change,
        events: [...change.events].sort((a, b) => Number(a.type === 'deleted') - Number(b.type === 'deleted')),
      })),
      'inconsistent',
    ],
    ['emits empty changes', mergeMap((change: Change) => [change, changeOf<SampleObject>([])]), 'a change of the cause watch is empty'],
    [
      'filters events, and forgets what ceases to pass',
      map((change: Change) => ({ ...change, cause: 'list' as const, events: change.events.filter(({ object }) => isRunning(object)) })),
      'The law is broken',
    ],
  ])('finds an operator that %s', (_, operator, message) => {
    expect(() => checkOperatorLaw({ operator: () => operator })).toThrow(message);
  });
});
