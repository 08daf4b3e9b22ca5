import { describe, expect, it } from '@jest/globals';
import type { V1Lease } from 'rx-informer';
import { electionStep, type ElectionEvent, type ElectionRules, type ElectionState, outsider } from '../../src/leader/electionStep.js';

const rules: ElectionRules = { identity: 'a', lease: { namespace: 'ns', name: 'lease' }, leaseDurationMs: 15_000, renewDeadlineMs: 10_000 };
const leaseOf = (holderIdentity: string, leaseTransitions: number): V1Lease => ({
  metadata: { namespace: 'ns', name: 'lease' },
  spec: { holderIdentity, leaseTransitions, leaseDurationSeconds: 15, acquireTime: '1970-01-01T00:00:00.000000Z' },
});

/** The states that events lead to, one after the other. */
function after(state: ElectionState, ...events: readonly ElectionEvent[]): ReturnType<typeof electionStep> {
  return events.reduce<ReturnType<typeof electionStep>>((before, event) => electionStep(before.state, event, rules), { state });
}

const leading: ElectionState = { phase: 'idle', seen: { lease: leaseOf('a', 3), at: 0 }, term: { token: 3, until: 10_000 } };
const lostRenewal: readonly ElectionEvent[] = [
  { type: 'due', now: 2_000, date: 2_000 },
  { type: 'failed', now: 2_100 },
];

describe('electionStep', () => {
  it('makes a lease that says which leadership it is: the first one is number 0 (LE-07)', () => {
    const { request } = after(outsider, { type: 'due', now: 0, date: 0 }, { type: 'missing', now: 0, date: 0 });
    const time = '1970-01-01T00:00:00.000000Z';
    expect(request).toStrictEqual({
      verb: 'create',
      lease: {
        metadata: { namespace: 'ns', name: 'lease' },
        spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0, acquireTime: time, renewTime: time },
      },
    });
  });

  it.each([
    ['its own time', 15, 15_000],
    ['the time of the lease, where that is longer', 30, 30_000],
    ['its own time, where that of the lease is shorter', 5, 15_000],
  ])('makes a lease again that is gone after %s, and not a moment before', (_, leaseDurationSeconds, ms) => {
    const lease = leaseOf('b', 3);
    const seen = { lease: { ...lease, spec: { ...lease.spec, leaseDurationSeconds } }, at: 0 };
    const gone = (now: number): ElectionEvent => ({ type: 'missing', now, date: now });
    const due = (now: number): ElectionEvent => ({ type: 'due', now, date: now });
    const waiting: ElectionState = after({ phase: 'idle', seen }, due(40_000), gone(40_000)).state;
    expect(after(waiting, due(40_000 + ms - 1), gone(40_000 + ms - 1)).request).toBeUndefined();
    expect(after(waiting, due(40_000 + ms), gone(40_000 + ms)).request).toMatchObject({ verb: 'create' });
  });

  it('renews without a read (LE-08)', () => {
    expect(after(leading, { type: 'due', now: 2_000, date: 2_000 }).request).toMatchObject({
      verb: 'update',
      lease: { spec: { leaseTransitions: 3, renewTime: '1970-01-01T00:00:02.000000Z' } },
    });
  });

  it('continues its term where a renewal has failed, under the same token (LE-08) (LE-09)', () => {
    const { state, request } = after(leading, ...lostRenewal, { type: 'found', lease: leaseOf('a', 3), now: 2_200, date: 2_200 });
    expect(request).toMatchObject({ verb: 'update', lease: { spec: { leaseTransitions: 3, acquireTime: '1970-01-01T00:00:00.000000Z' } } });
    expect(state.term).toEqual({ token: 3, until: 10_000 });
  });

  it('makes the lease of its term again under the same token (LE-09)', () => {
    const { state, request } = after(leading, ...lostRenewal, { type: 'missing', now: 2_200, date: 2_200 });
    expect(request).toMatchObject({
      verb: 'create',
      lease: { metadata: { namespace: 'ns', name: 'lease' }, spec: { holderIdentity: 'a', leaseTransitions: 3 } },
    });
    expect(state.term).toEqual({ token: 3, until: 10_000 });
  });

  it('begins no term with a write whose answer comes when the term would be over (LE-04)', () => {
    const taking = after(outsider, { type: 'due', now: 0, date: 0 }, { type: 'missing', now: 0, date: 0 }).state;
    const written = (now: number): ElectionState => after(taking, { type: 'written', lease: leaseOf('a', 0), sentAt: 0, now }).state;
    expect(written(9_999).term).toEqual({ token: 0, until: 10_000 });
    expect(written(10_000).term).toBeUndefined();
    expect(written(10_001).term).toBeUndefined();
  });

  it('takes a lease at once that says nothing (LE-06)', () => {
    const { request } = after(outsider, { type: 'due', now: 0, date: 0 }, { type: 'found', lease: {}, now: 0, date: 0 });
    expect(request).toMatchObject({ verb: 'update', lease: { spec: { holderIdentity: 'a', leaseTransitions: 1 } } });
  });

  it('takes a lease at once whose holder names no duration (LE-05)', () => {
    const lease: V1Lease = { spec: { holderIdentity: 'b' } };
    expect(after(outsider, { type: 'found', lease, now: 0, date: 0 }).request?.verb).toBe('update');
  });
});
