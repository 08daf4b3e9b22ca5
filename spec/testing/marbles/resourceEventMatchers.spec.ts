import { describe, expect, it } from '@jest/globals';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { resourceEventMatchers, type ResourceEventMatchers } from '../../../src/testing/marbles/resourceEventMatchers.js';
import { changeOf, snapshotOf } from '../../../src/testing/marbles/resourceChanges.js';
import { added, deleted, synced, updated } from '../../../src/testing/marbles/resourceEvents.js';

declare module 'expect' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- what a user of jest writes once
  interface Matchers<R> extends ResourceEventMatchers<R> {}
}
expect.extend(resourceEventMatchers);

const pending = pod('web', { metadata: { resourceVersion: '2' }, status: { phase: 'Pending' } });
const running = pod('web', { metadata: { resourceVersion: '3' }, status: { phase: 'Running' } });

describe('resourceEventMatchers', () => {
  it('tell the kinds of events, keys, flags and parts of objects', () => {
    expect(added(running, { initial: true })).toBeAdded('default/web', { initial: true, object: { status: { phase: 'Running' } } });
    expect(updated(pending, running)).toBeUpdated('default/web', { oldObject: { status: { phase: 'Pending' } } });
    expect(deleted(running)).toBeDeleted();
    expect(synced('5')).toBeSynced('5', { previousResourceVersion: '' });
    expect(deleted(running)).not.toBeAdded('default/web');
    expect(added(running)).not.toBeAdded('default/db');
    expect(synced('5')).not.toBeSynced('6');
    expect(undefined).not.toBeAdded();
  });

  it('name every field that differs', () => {
    expect(() =>
      expect(updated(pending, pending)).toBeUpdated('default/web', { resync: true, object: { status: { phase: 'Running' } } }),
    ).toThrow(
      [
        'Expected updated resync "default/web", got updated default/web@2 (was default/web@2)',
        '  resync: expected true, got false',
        '  object.status.phase: expected "Running", got "Pending"',
      ].join('\n'),
    );
    expect(() => expect(added(pending)).not.toBeAdded()).toThrow('Expected an event that is not added, got added default/web@2');
  });

  it('tell changes by their events, cause and versions', () => {
    const list = changeOf([deleted(pod('db')), updated(pending, running)], { cause: 'list', resourceVersion: '9' });
    expect(list).toBeChange('-default/db ~default/web', { cause: 'list', synced: true });
    expect(list).toBeChange();
    expect(list).not.toBeChange('~default/web');
    expect(list).not.toBeChange('-default/db ~default/web', { cause: 'watch' });
    expect(snapshotOf([pending])).toBeChange('+default/web', { cause: 'snapshot' });
    expect(changeOf([], { cause: 'list' })).toBeChange('');
    expect(added(running)).not.toBeChange();
    expect(() => expect(list).toBeChange('default/db')).toThrow('Expected `events` to be keys behind +, ~ or -, got "default/db"');
  });

  it('name what differs in a change', () => {
    expect(() => expect(changeOf([added(running)])).toBeChange('+default/db', { cause: 'list' })).toThrow(
      [
        'Expected a change {+default/db}, got watch {+default/web@3}',
        '  events.0.key: expected "default/db", got "default/web"',
        '  cause: expected "list", got "watch"',
      ].join('\n'),
    );
    expect(() => expect(synced('5')).toBeChange('')).toThrow('it is no change: synced at 5');
  });
});
