import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { slotCount } from '../../../../src/api/shardFilter.js';
import { MemberLeases } from '../../src/shards/memberLeases.js';
import { nextRecord, type RecordView, shardPlan } from '../../src/shards/nextRecord.js';
import { emptyRecord, leaseWithRecord, recordAnnotation, recordOfLease, type ShardRecord } from '../../src/shards/shardRecord.js';

const empty = emptyRecord('uid');
const ownedBy = (...owners: readonly string[]): ShardRecord => ({
  ...empty,
  epoch: 4,
  owners: empty.owners.map((_, slot) => owners[Math.floor((slot * owners.length) / slotCount)] ?? ''),
});
const view = (more: Partial<RecordView>): RecordView => ({
  self: 'a#0',
  isLeaving: false,
  living: ['a#0'],
  isOver: () => false,
  stateOf: () => 'working',
  ...more,
});
const countOf = (record: ShardRecord | undefined, owner: string): number => record?.owners.filter((each) => each === owner).length ?? -1;

describe('nextRecord', () => {
  it('takes what nobody owns, with a token above all others', () => {
    const { next } = nextRecord(empty, view({}));
    expect(countOf(next, 'a#0')).toBe(slotCount);
    expect(next).toMatchObject({ epoch: 1, tokens: empty.tokens.map(() => 1) });
  });

  it('leaves alone what a term under way owns, and takes it when that is over', () => {
    const record = ownedBy('b#3');
    expect(nextRecord(record, view({})).next).toBeUndefined();
    expect(countOf(nextRecord(record, view({ isOver: (term) => term === 'b#3' })).next, 'a#0')).toBe(slotCount);
  });

  it('takes from nobody what no member is to have', () => {
    const { next } = nextRecord(
      ownedBy('b#0', 'a#0'),
      view({ isLeaving: true, living: [], isOver: (term) => term === 'b#0', stateOf: () => 'quiet' }),
    );
    expect([countOf(next, 'b#0'), countOf(next, 'a#0')]).toEqual([slotCount / 2, 0]);
  });

  it('drains what another one is to have, gives nothing away while work goes on, and gives it away then', () => {
    const record = ownedBy('a#0');
    const living = ['a#0', 'b#0'];
    const begun = nextRecord(record, view({ living }));
    expect(begun.next).toBeUndefined();
    expect(begun.drain).toHaveLength(slotCount / 2);
    const isDrained = (slot: number): boolean => begun.drain.includes(slot);
    const under = nextRecord(record, view({ living, stateOf: (slot) => (isDrained(slot) ? 'draining' : 'working') }));
    expect(under).toEqual({ next: undefined, drain: [] });
    const quiet = nextRecord(record, view({ living, stateOf: (slot) => (isDrained(slot) ? 'quiet' : 'working') }));
    expect(countOf(quiet.next, 'b#0')).toBe(slotCount / 2);
    expect(begun.drain.every((slot) => quiet.next?.owners[slot] === 'b#0' && quiet.next.tokens[slot] === 5)).toBe(true);
  });

  it('writes the record also for what stays after all: to give it away may have been tried', () => {
    const { next } = nextRecord(ownedBy('a#0'), view({ stateOf: (slot) => (slot === 9 ? 'quiet' : 'working') }));
    expect(next?.tokens).toEqual(empty.tokens.map((_, slot) => (slot === 9 ? 5 : 0)));
    expect(countOf(next, 'a#0')).toBe(slotCount);
  });

  it('gives out all slots of a term that is over in one step, to each who lives its part', () => {
    const record = ownedBy('a#0', 'b#0', 'c#0', 'd#0');
    const living = ['a#0', 'b#0', 'c#0'];
    const { next } = nextRecord(record, view({ living, isOver: (term) => term === 'd#0' }));
    expect(['a#0', 'b#0', 'c#0', 'd#0'].map((term) => countOf(next, term)).sort()).toEqual([0, 42, 43, 43]);
    // Nothing is left to do for the others.
    for (const self of living) {
      const after = nextRecord(next ?? record, view({ self, living, isOver: (term) => term === 'd#0' }));
      expect([after.next, after.drain]).toEqual([undefined, []]);
    }
  });

  it('keeps on the list of those who leave itself, and each whose term is not over', () => {
    const record = { ...ownedBy('b#0'), leaving: ['a#0', 'c#0', 'b#0'] };
    const step = nextRecord(record, view({ self: 'b#0', isLeaving: true, living: ['a#0', 'b#0'], isOver: (term) => term !== 'a#0' }));
    expect(step.next?.leaving).toEqual(['a#0', 'b#0']);
  });

  it('gives nothing to a member that leaves, and takes it off the list when its term is over', () => {
    const leaving = nextRecord(ownedBy('a#0', 'b#0'), view({ living: ['a#0', 'b#0'], isLeaving: true }));
    expect(leaving.next?.leaving).toEqual(['a#0']);
    expect(leaving.drain).toHaveLength(slotCount / 2);
    const other = view({ self: 'b#0', living: ['a#0', 'b#0'] });
    expect(nextRecord({ ...ownedBy('b#0'), leaving: ['a#0'] }, other).drain).toEqual([]);
    expect(nextRecord({ ...ownedBy('b#0'), leaving: ['a#0'] }, { ...other, isOver: () => true }).next?.leaving).toEqual([]);
  });
});

describe('shardPlan', () => {
  it('moves no more than it has to', () => {
    const three = shardPlan(shardPlan(ownedBy('a').owners, ['a', 'b']), ['a', 'b', 'c']);
    expect(['a', 'b', 'c'].map((member) => three.filter((owner) => owner === member).length).sort()).toEqual([42, 43, 43]);
    const two = shardPlan(three, ['a', 'c']);
    expect(three.every((owner, slot) => owner === 'b' || two[slot] === owner)).toBe(true);
    expect(shardPlan(three, [])).toEqual(empty.owners);
  });

  it('is the same whatever the order of the members, even, and keeps all that it can', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const members = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });
    const owners = fc.array(fc.constantFrom('', ...names), { maxLength: 12 });
    const countsOf = (slots: readonly string[], of: readonly string[]): readonly number[] =>
      of.map((member) => slots.filter((owner) => owner === member).length);
    fc.assert(
      fc.property(owners, members, (before, one) => {
        const plan = shardPlan(before, one);
        expect(shardPlan(before, [...one].reverse())).toEqual(plan);
        expect(shardPlan(before, [...one].sort())).toEqual(plan);
        const shares = [...countsOf(plan, one)].sort((a, b) => b - a);
        expect((shares[0] ?? 0) - (shares.at(-1) ?? 0)).toBeLessThanOrEqual(1);
        // The members with the most slots get the largest shares: they keep as many slots as possible.
        const owned = [...countsOf(before, one)].sort((a, b) => b - a);
        const kept = plan.filter((owner, slot) => owner === before[slot]).length;
        expect(kept).toBe(owned.reduce((sum, count, rank) => sum + Math.min(count, shares[rank] ?? 0), 0));
      }),
    );
  });
});

describe('the record in a lease', () => {
  it('is read as it was written, and what others wrote stays', () => {
    const record = { ...ownedBy('a#0', '', 'b#12'), leaving: ['b#12'] };
    const lease = leaseWithRecord({ metadata: { name: 'group', annotations: { other: 'yes' } } }, record);
    expect(recordOfLease(lease)).toEqual(record);
    expect(lease.metadata?.annotations?.['other']).toBe('yes');
  });

  it('is written on a lease without metadata, and owners that it does not name are nobody', () => {
    const lease = leaseWithRecord({}, ownedBy('a#0'));
    expect(Object.keys(lease.metadata?.annotations ?? {})).toEqual(['rx-informer/slots']);
    expect(recordOfLease(lease)).toEqual(ownedBy('a#0'));
    const json = JSON.parse(lease.metadata?.annotations?.[recordAnnotation] ?? '') as object;
    const read = recordOfLease({ metadata: { annotations: { [recordAnnotation]: JSON.stringify({ ...json, terms: [] }) } } });
    expect(read?.owners).toEqual(empty.owners);
  });

  const wrong = [{ by: 'name' }, { leaving: undefined }, { leaving: 'a' }, { tokens: empty.tokens.map(() => null) }];
  it.each([{ owners: [] }, { tokens: [] }, { epoch: 0.5 }, { owners: undefined }, ...wrong])('is none with %j', (broken) => {
    const json = { ...empty, terms: [''], owners: empty.owners.map(() => 0), ...broken };
    expect(recordOfLease({ metadata: { annotations: { [recordAnnotation]: JSON.stringify(json) } } })).toBeUndefined();
  });

  it('is none without the annotation', () => {
    expect([{}, { metadata: {} }, { metadata: { annotations: {} } }].map(recordOfLease)).toEqual([undefined, undefined, undefined]);
  });
});

describe('MemberLeases', () => {
  const lease = (holderIdentity: string, leaseTransitions: number, renewTime: string) => ({
    metadata: { name: `group-${holderIdentity}` },
    spec: { holderIdentity, leaseTransitions, renewTime, leaseDurationSeconds: 15 },
  });

  it('takes a term for over when its record has not changed for its duration, as asked after that', () => {
    const members = new MemberLeases(15_000);
    members.take([lease('a', 2, 'one')], 0, 100);
    expect([members.isOver('a#2'), members.isOver('a#1'), members.living()]).toEqual([false, true, ['a#2']]);
    // A late answer says nothing about the time in which it was late.
    members.take([lease('a', 2, 'one')], 15_000, 40_000);
    expect(members.isOver('a#2')).toBe(false);
    members.take([lease('a', 2, 'two')], 15_100, 15_200);
    members.take([lease('a', 2, 'two')], 30_199, 30_300);
    expect(members.isOver('a#2')).toBe(false);
    members.take([lease('a', 2, 'two')], 30_200, 30_300);
    expect([members.isOver('a#2'), members.living()]).toEqual([true, []]);
  });

  it('waits a duration for an owner without a lease, which may write it anew', () => {
    const members = new MemberLeases(15_000);
    members.take([], 1_000, 1_100);
    expect(members.isOver('a#2')).toBe(false);
    members.take([], 15_999, 16_100);
    expect(members.isOver('a#2')).toBe(false);
    members.take([], 16_000, 16_100);
    expect(members.isOver('a#2')).toBe(true);
  });
});
