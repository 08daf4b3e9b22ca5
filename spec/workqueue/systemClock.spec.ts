import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../src/workqueue/systemClock.js';

describe('systemClock', () => {
  it('tells the time of day', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
  });

  it('calls back once and later, unless cancelled', async () => {
    const calls: string[] = [];
    const cancel = systemClock.setTimer(() => calls.push('cancelled'), 0);
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.setTimer(() => {
        calls.push('called');
        resolve();
      }, 1);
      calls.push('set');
    });
    expect(calls).toEqual(['set', 'called']);
  });
});
