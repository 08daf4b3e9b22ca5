import { describe, expect, it } from '@jest/globals';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { changeOf, snapshotOf } from '../../../src/testing/marbles/resourceChanges.js';
import { added } from '../../../src/testing/marbles/resourceEvents.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';

const web = pod('web');

describe('changeOf, snapshotOf', () => {
  it('are changes of a watch, or snapshots, unless more is said', () => {
    expect(changeOf([added(web)])).toEqual({ cause: 'watch', events: [added(web)], synced: true });
    expect(changeOf([], { cause: 'list', scope: 'n', resourceVersion: '5', synced: false })).toEqual({
      cause: 'list',
      events: [],
      scope: 'n',
      resourceVersion: '5',
      synced: false,
    });
    expect(snapshotOf([web], { resourceVersion: '5' })).toEqual({
      cause: 'snapshot',
      events: [added(web, { initial: true })],
      resourceVersion: '5',
      synced: true,
    });
  });

  it('are shown in a few characters where marbles differ', () => {
    expect(() =>
      runMarbles(({ hot, expectObservable }) => {
        expectObservable(hot('-a', { a: changeOf([added(web)], { synced: false }) })).toBe('-a', { a: snapshotOf([web]) });
      }),
    ).toThrow('+       1 ms  watch {+default/web@1} not synced');
  });
});
