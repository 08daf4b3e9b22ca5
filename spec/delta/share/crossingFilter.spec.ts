import { describe, expect, it } from '@jest/globals';
import type { ResourceEvent } from '../../../src/api/events.js';
import { createCrossingFilter } from '../../../src/delta/share/crossingFilter.js';
import { brief, type Pod, pod } from '../pods.js';

const yes = (version: string) => pod('a', version, { value: 'yes' });
const no = (version: string) => pod('a', version, { value: 'no' });
const add = (object: Pod): ResourceEvent<Pod> => ({ type: 'added', key: 'default/a', object, initial: true, inferred: false });
const update = (oldObject: Pod, object: Pod): ResourceEvent<Pod> => ({
  type: 'updated',
  key: 'default/a',
  object,
  oldObject,
  resync: false,
  inferred: true,
});
const remove = (object: Pod): ResourceEvent<Pod> => ({
  type: 'deleted',
  key: 'default/a',
  object,
  finalStateUnknown: true,
  inferred: false,
});

function through(...events: readonly ResourceEvent<Pod>[]): string[] {
  const filter = createCrossingFilter<Pod>(({ value }) => value === 'yes');
  return events.flatMap((event) => {
    const told = filter(event);
    return told === undefined ? [] : [brief(told)];
  });
}

describe('createCrossingFilter', () => {
  it.each([
    ['yes, yes: updated', add(yes('1')), update(yes('1'), yes('2')), ['+default/a@1 initial', '~default/a@2<1 inferred']],
    ['no, yes: added, but not as a part of the snapshot', add(no('1')), update(no('1'), yes('2')), ['+default/a@2 inferred']],
    ['yes, no: deleted, with what was told', add(yes('1')), update(yes('1'), no('2')), ['+default/a@1 initial', '-default/a@1 inferred']],
    ['no, no: nothing', add(no('1')), update(no('1'), no('2')), []],
  ])('makes of an update what it means behind the filter: %s (EH-02)', (_, before, event, expected) => {
    expect(through(before, event)).toEqual(expected);
  });

  it('passes additions and deletes of objects that pass (EH-03)', () => {
    expect(through(add(yes('1')), remove(yes('2')))).toEqual(['+default/a@1 initial', '-default/a@2 finalStateUnknown']);
    expect(through(add(no('1')), remove(no('2')))).toEqual([]);
  });

  it('tells a delete of what it has told, even if the last state does not pass', () => {
    expect(through(add(yes('1')), remove(no('2')))).toEqual(['+default/a@1 initial', '-default/a@2 finalStateUnknown']);
  });

  it('tells no delete of what it has not told, even if the last state passes', () => {
    expect(through(add(no('1')), remove(yes('2')))).toEqual([]);
  });

  it('passes boundaries', () => {
    expect(through({ type: 'synced', resourceVersion: '4', previousResourceVersion: '' })).toEqual(['synced@4']);
  });
});
