import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { SlowCalls } from '../../src/api/clock.js';

/** Is at work for so long, by processor time. */
function work(ms: number): void {
  const from = process.cpuUsage();
  let spent = 0;
  while (spent < ms) {
    const { user, system } = process.cpuUsage(from);
    spent = (user + system) / 1_000;
  }
}

/** Stands still for so long, as a machine that is busy with others does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function call(calls: SlowCalls, ...steps: readonly (() => void)[]): number {
  for (const step of steps) {
    const from = calls.begin();
    step();
    calls.end(from);
  }
  return calls.slow;
}

describe('SlowCalls', () => {
  it('counts by the clock in virtual time', () => {
    const scheduler = new VirtualTimeScheduler();
    const calls = new SlowCalls(scheduler);
    const takes = (ms: number) => (): void => void (scheduler.frame += ms);
    expect(call(calls, takes(50))).toBe(0);
    expect(call(calls, takes(51), takes(70))).toBe(2);
    expect(calls.slowestMs).toBe(70);
  });

  it('counts what works for long, from the second time on', () => {
    expect(call(new SlowCalls(), () => work(80))).toBe(0);
    expect(call(new SlowCalls(), ...Array.from({ length: 3 }, () => () => work(80)))).toBe(2);
  });

  it('does not blame whoever is called for a machine that stands still', () => {
    expect(call(new SlowCalls(), ...Array.from({ length: 3 }, () => () => standStill(80)))).toBe(0);
  });

  it('asks for more than 50 ms where a call has more to do', () => {
    const scheduler = new VirtualTimeScheduler();
    const calls = new SlowCalls(scheduler);
    const from = calls.begin();
    scheduler.frame += 80;
    calls.end(from, 100);
    expect(calls.slow).toBe(0);
  });
});
