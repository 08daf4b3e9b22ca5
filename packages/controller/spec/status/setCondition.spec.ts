import { describe, expect, it } from '@jest/globals';

import { setCondition } from '../../src/status/setCondition.js';
import type { Condition } from '../../../../src/operators/readiness/isReady.js';

const ready = { type: 'Ready', status: 'True', reason: 'AllUp', message: '3 of 3', observedGeneration: 1 } as const;
const at = (seconds: number): Date => new Date(Date.UTC(2024, 0, 1, 0, 0, seconds, 999));
const other: Condition = { type: 'Other', status: 'False', reason: 'No', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' };

describe('setCondition', () => {
  it('adds a condition with the time, in whole seconds', () => {
    expect(setCondition(undefined, ready, at(1))).toEqual([{ ...ready, lastTransitionTime: '2024-01-01T00:00:01Z' }]);
    expect(setCondition([other], ready, at(1))).toEqual([other, { ...ready, lastTransitionTime: '2024-01-01T00:00:01Z' }]);
  });

  it('moves the time only when the status changes', () => {
    const first = setCondition([other], ready, at(1));
    const reworded = setCondition(first, { ...ready, message: '4 of 4', observedGeneration: 2 }, at(2));
    expect(reworded).toEqual([other, { ...ready, message: '4 of 4', observedGeneration: 2, lastTransitionTime: '2024-01-01T00:00:01Z' }]);
    const failed = setCondition(reworded, { ...ready, status: 'False' }, at(3));
    expect(failed[1]).toEqual({ ...ready, status: 'False', lastTransitionTime: '2024-01-01T00:00:03Z' });
    expect(failed[0]).toBe(other);
  });

  it('takes a status that changes twice within a second for a change', () => {
    const first = setCondition([], ready, at(1));
    expect(setCondition(first, { ...ready, status: 'False' }, at(1))[0]?.status).toBe('False');
  });

  it('gives a time to a condition that has none', () => {
    const { lastTransitionTime: _, ...timeless } = other;
    expect(setCondition([timeless], { type: 'Other', status: 'False', reason: 'No', message: '' }, at(4))).toEqual([
      { ...other, lastTransitionTime: '2024-01-01T00:00:04Z' },
    ]);
  });

  it('returns the same conditions when they say so already', () => {
    const first = setCondition([other], ready, at(1));
    expect(setCondition(first, { ...ready }, at(9))).toBe(first);
  });
});
