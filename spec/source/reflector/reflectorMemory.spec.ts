import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { reflectSettings } from '../../../src/source/reflector/reflectOptions.js';
import { ReflectorMemory } from '../../../src/source/reflector/reflectorMemory.js';
import type { WatchEnd } from '../../../src/source/reflector/watchEnd.js';
import { statusError } from '../../../src/testing/fakes/serverErrors.js';

const internal: WatchEnd = { type: 'failed', error: statusError(500, 'InternalError', 'etcd') };
const forbidden: WatchEnd = { type: 'failed', error: statusError(403, 'Forbidden', 'no') };

function remembering(internalErrorRetryMs: number) {
  const scheduler = new VirtualTimeScheduler();
  const memory = new ReflectorMemory({}, 'pods', reflectSettings({ scheduler, internalErrorRetryMs }));
  return (at: number, end = internal): boolean => {
    scheduler.frame = at;
    return memory.retriesInternalError(end);
  };
}

describe('ReflectorMemory', () => {
  it('never retries internal errors by default (RW-11)', () => {
    const retries = remembering(0);
    expect([0, 100, 70_000].map((at) => retries(at))).toEqual([false, false, false]);
  });

  it('retries internal errors for as long as told, says no once, and begins anew (RW-12)', () => {
    const retries = remembering(1000);
    expect([0, 500, 999].map((at) => retries(at))).toEqual([true, true, true]);
    expect([1000, 1001, 2000, 2001].map((at) => retries(at))).toEqual([false, true, true, false]);
  });

  it('counts anew after a minute without one (RW-12)', () => {
    const retries = remembering(50_000);
    expect([0, 59_999, 60_000].map((at) => retries(at))).toEqual([true, false, true]);
    const others = remembering(50_000);
    expect([0, 40_000, 100_000].map((at) => others(at))).toEqual([true, true, true]);
  });

  it('takes nothing else for an internal error', () => {
    const retries = remembering(1000);
    expect(retries(0, forbidden)).toBe(false);
    expect(retries(0, { type: 'closed' })).toBe(false);
  });
});
