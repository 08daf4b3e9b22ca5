import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { WatchEvent } from '../../../src/api/listerWatcher.js';
import { step } from '../../../src/source/reflector/step.js';
import type { State, WatchingState } from '../../../src/source/reflector/state.js';
import { advanced, type Change, watchLine } from '../../../src/source/reflector/watching.js';
import { failureStatus } from '../../../src/testing/fakes/serverErrors.js';
import { bookmarkOf, errorEventOf, podOf, watchEventOf } from '../../../src/testing/suites/sourceConformanceCase.js';
import { begin, contextOf, memoryOf, unopened, watchingOf } from './stepping.js';
import { runs } from '../../tier.js';

const context = contextOf({}, { expected: { apiVersion: 'v1', kind: 'Pod' } });
const changes = ['ADDED', 'MODIFIED', 'DELETED'] as const;
const versions = ['', '0', '9', '10', '11', '100', 'later'];
const lines: readonly WatchEvent<KubernetesObject>[] = [
  ...changes.flatMap((type) => versions.map((version) => watchEventOf(type, podOf('a', version)))),
  ...versions.map((version) => bookmarkOf(version)),
  errorEventOf(failureStatus(410, 'Expired', 'old')),
  watchEventOf('ADDED', {}),
  watchEventOf('ADDED', { ...podOf('a', '12'), kind: 'Service' }),
];
const look = { version: '10', asked: false, dueAt: begin + 3, failures: 0, ofOrder: false, again: false };
const states: readonly WatchingState[] = [
  watchingOf(),
  watchingOf(unopened),
  watchingOf({ ordered: false, version: '0' }),
  watchingOf({ look }),
  watchingOf({ look: { ...look, asked: true }, memory: memoryOf({ link: 'retrying' }) }),
  watchingOf({ memory: memoryOf({ unordered: true }), relistedFrom: '8' }),
];

/** Whether there is a short way, which then leads where the steps lead. */
function isAdvanced(before: WatchingState, together: readonly WatchEvent<KubernetesObject>[]): boolean {
  const after = advanced(before, together, begin + 5, context);
  if (after === undefined) return false;
  let stepped: State = before;
  for (const line of together as readonly Change<KubernetesObject>[]) {
    const told = { do: 'emit', event: watchLine.sourceEvent(line, undefined, line.object.metadata?.resourceVersion ?? '') };
    const { state: next, effects }: ReturnType<typeof step> = step(stepped, { type: 'line', line, isNew: false }, begin + 5, context);
    expect(effects).toEqual([told]);
    stepped = next;
  }
  expect(stepped).toEqual(after);
  return true;
}

describe('advanced', () => {
  it('is where the steps of plain changes that come together lead to, in any state', () => {
    const together = [...lines.map((line) => [line]), ...lines.flatMap((first) => lines.map((second) => [first, second]))];
    // Three types of four versions that do not go back from 10, and pairs of these: 4 go on from 10, 3 from 11, 2 from 100, and 5 (not 0) from what is no number.
    const short = 3 * 4 + 3 ** 2 * (4 + 3 + 2 + 5);
    expect(states.map((before) => together.filter((each) => isAdvanced(before, each)).length)).toEqual([short, 0, 0, 0, short, short]);
    fc.assert(
      fc.property(fc.constantFrom(...states), fc.array(fc.constantFrom(...lines), { minLength: 3, maxLength: 4 }), (before, each) => {
        isAdvanced(before, each);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('leaves every other line to the step', () => {
    const change = watchEventOf('MODIFIED', podOf('a', '12'));
    expect(advanced(watchingOf(), [change, change], begin, context)).toMatchObject({ version: '12', events: 2 });
    const without = watchEventOf('ADDED', { metadata: { name: 'a' } });
    for (const event of [bookmarkOf('12'), watchEventOf('ADDED', podOf('a', '9')), watchEventOf('ADDED', podOf('a', '')), without]) {
      expect(advanced(watchingOf(), [event], begin, context)).toBeUndefined();
      expect(advanced(watchingOf(), [change, event, change], begin, context)).toBeUndefined();
    }
    const pods = contextOf({}, { expected: { apiVersion: 'v1', kind: 'Pod' } });
    const other = { ...change, object: { ...change.object, apiVersion: 'v1', kind: 'Node' } };
    expect(advanced(watchingOf(), [other], begin, pods)).toBeUndefined();
    expect(advanced(watchingOf(), [other], begin, contextOf())).toMatchObject({ version: '12' });
    expect(advanced(watchingOf(unopened), [change], begin, context)).toBeUndefined();
    expect(advanced(watchingOf({ ordered: false }), [change], begin, context)).toBeUndefined();
    expect(advanced(watchingOf({ look }), [change], begin, context)).toBeUndefined();
  });
});
