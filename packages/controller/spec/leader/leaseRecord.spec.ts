import { describe, expect, it } from '@jest/globals';
import { leaseHeldBy, recordOf } from '../../src/leader/leaseRecord.js';

describe('recordOf', () => {
  it('counts what is missing as empty', () => {
    const empty = { holder: '', durationMs: 0, transitions: 0, acquiredAt: undefined };
    expect(recordOf({})).toEqual(empty);
    expect(recordOf({ spec: {} })).toEqual(empty);
  });
});

describe('leaseHeldBy', () => {
  const write = { identity: 'a', durationMs: 15_900, transitions: 0, date: 0 };
  const spec = {
    ...{ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 },
    ...{ acquireTime: '1970-01-01T00:00:00.000000Z', renewTime: '1970-01-01T00:00:00.000000Z' },
  };

  it('adds labels to those that are there, and none otherwise (LE-19)', () => {
    expect(leaseHeldBy({ metadata: { name: 'lease' } }, write)).toStrictEqual({ metadata: { name: 'lease' }, spec });
    expect(leaseHeldBy({}, { ...write, labels: { mine: '1' } })).toStrictEqual({ metadata: { labels: { mine: '1' } }, spec });
    expect(leaseHeldBy({ metadata: { labels: { other: '2' } } }, { ...write, labels: { mine: '1' } }).metadata).toStrictEqual({
      labels: { other: '2', mine: '1' },
    });
  });
});
