import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { StepRunner } from '../../../src/source/reflector/stepRunner.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

describe('StepRunner', () => {
  it('runs a step that another asks for after it, on the same stack', () => {
    const steps = new StepRunner(new VirtualTimeScheduler());
    const log: string[] = [];
    steps.run(() => {
      steps.run(() => log.push('second'));
      log.push('first');
    });
    expect(log).toEqual(['first', 'second']);
  });

  it('does not grow the stack over a million steps', () => {
    const steps = new StepRunner(new VirtualTimeScheduler());
    let left = 1_000_000;
    const step = (): void => {
      left -= 1;
      if (left > 0) steps.run(step);
    };
    steps.run(step);
    expect(left).toBe(0);
  });

  it('runs a step after a wait, or another in its place', () => {
    const scheduler = new VirtualTimeScheduler();
    const steps = new StepRunner(scheduler);
    const log: string[] = [];
    expect(steps.redirect(() => log.push('never'))).toBe(false);
    steps.runAfter(100, () => log.push('planned'));
    expect(steps.redirect(() => log.push(`redirected ${scheduler.now()}`))).toBe(true);
    advanceBy(scheduler, 1000);
    expect(log).toEqual(['redirected 100']);
    expect(steps.redirect(() => log.push('never'))).toBe(false);
  });

  it('runs nothing and leaves no timer after it was stopped', () => {
    const scheduler = new VirtualTimeScheduler();
    const steps = new StepRunner(scheduler);
    const log: string[] = [];
    steps.runAfter(100, () => log.push('late'));
    steps.run(() => {
      steps.run(() => log.push('next'));
      steps.stop();
    });
    steps.run(() => log.push('again'));
    steps.runAfter(100, () => log.push('later'));
    expect(scheduler.actions).toHaveLength(0);
    advanceBy(scheduler, 1000);
    expect(log).toEqual([]);
  });

  it('goes on after a step that throws', () => {
    const steps = new StepRunner(new VirtualTimeScheduler());
    const log: string[] = [];
    expect(() =>
      steps.run(() => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    steps.run(() => log.push('next'));
    expect(log).toEqual(['next']);
  });
});
