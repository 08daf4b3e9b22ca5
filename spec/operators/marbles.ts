import { expect } from '@jest/globals';
import { TestScheduler } from 'rxjs/testing';

export { changes, eventOf, values } from './values.js';

/** Runs marbles in virtual time. */
export function marbles(run: Parameters<TestScheduler['run']>[0]): void {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(run);
}
