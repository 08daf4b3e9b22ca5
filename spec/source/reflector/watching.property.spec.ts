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

const context = contextOf({}, { expected: { apiVersion: 'v1', kind: 'Pod' } });
const changes = ['ADDED', 'MODIFIED', 'DELETED'] as const;
const version = fc.constantFrom('', '0', '9', '10', '11', '100', 'later');
const line = fc.oneof<fc.MaybeWeightedArbitrary<WatchEvent<KubernetesObject>>[]>(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom(...changes), version }).map((made) => watchEventOf(made.type, podOf('a', made.version))),
  },
  version.map((reached) => bookmarkOf(reached)),
  fc.constantFrom<WatchEvent<KubernetesObject>>(
    errorEventOf(failureStatus(410, 'Expired', 'old')),
    watchEventOf('ADDED', {}),
    watchEventOf('ADDED', { ...podOf('a', '12'), kind: 'Service' }),
  ),
);
const look = { version: '10', asked: false, dueAt: begin + 3, failures: 0, ofOrder: false, again: false };
const state = fc.constantFrom<WatchingState>(
  watchingOf(),
  watchingOf(unopened),
  watchingOf({ ordered: false, version: '0' }),
  watchingOf({ look }),
  watchingOf({ look: { ...look, asked: true }, memory: memoryOf({ link: 'retrying' }) }),
  watchingOf({ memory: memoryOf({ unordered: true }), relistedFrom: '8' }),
);

describe('advanced', () => {
  it('is where the steps of plain changes that come together lead to, in any state', () => {
    let all = 0;
    let plain = 0;
    fc.assert(
      fc.property(state, fc.array(line, { minLength: 1, maxLength: 4 }), (before, lines) => {
        all += 1;
        const after = advanced(before, lines, begin + 5, context);
        if (after === undefined) return;
        plain += 1;
        let stepped: State = before;
        for (const line of lines as readonly Change<KubernetesObject>[]) {
          const told = { do: 'emit', event: watchLine.sourceEvent(line, undefined, line.object.metadata?.resourceVersion ?? '') };
          const { state: next, effects }: ReturnType<typeof step> = step(stepped, { type: 'line', line, isNew: false }, begin + 5, context);
          expect(effects).toEqual([told]);
          stepped = next;
        }
        expect(stepped).toEqual(after);
      }),
      { numRuns: 1000 },
    );
    expect(plain / all).toBeGreaterThan(0.05);
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
