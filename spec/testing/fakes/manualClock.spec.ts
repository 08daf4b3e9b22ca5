import { describe, expect, it } from '@jest/globals';

import { createManualClock } from '../../../src/testing/fakes/manualClock.js';

describe('createManualClock', () => {
  it('calls timers back in order, each at its own moment, those set meanwhile included', () => {
    const clock = createManualClock(100);
    const calls: string[] = [];
    const note = (name: string) => () => calls.push(`${name} at ${clock.now()}`);
    clock.schedule(note('late'), 30);
    clock.schedule(() => {
      note('early')();
      clock.schedule(note('set meanwhile'), 5);
    }, 10);
    clock.schedule(note('also early'), 10);
    clock.schedule(note('cancelled'), 1).unsubscribe();
    clock.advanceBy(20);
    expect(calls).toEqual(['early at 110', 'also early at 110', 'set meanwhile at 115']);
    expect([clock.now(), clock.timers]).toEqual([120, 1]);
  });
});
