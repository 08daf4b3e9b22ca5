import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { changeOf, snapshotOf } from '../../../src/testing/marbles/resourceChanges.js';
import { added } from '../../../src/testing/marbles/resourceEvents.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';

describe('advanceBy', () => {
  it('lets everything happen that is due, and the clock stand at the end', () => {
    const scheduler = new VirtualTimeScheduler();
    const ticks: number[] = [];
    scheduler.schedule(function tick() {
      ticks.push(scheduler.now());
      this.schedule(undefined, 100);
    }, 100);
    advanceBy(scheduler, 250);
    expect([scheduler.now(), ticks]).toEqual([250, [100, 200]]);
    advanceBy(scheduler, 50);
    expect([scheduler.now(), ticks]).toEqual([300, [100, 200, 300]]);
  });
});

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
