import { describe, expect, it } from '@jest/globals';
import { NEVER, of, VirtualTimeScheduler } from 'rxjs';
import { RequestBudget } from '../../../src/source/reflector/requestBudget.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

function budgeted() {
  const scheduler = new VirtualTimeScheduler();
  const budget = new RequestBudget(scheduler);
  const sent: number[] = [];
  const send = () => {
    sent.push(scheduler.now());
    return of('answer');
  };
  return { scheduler, sent, spend: () => budget.spend(send) };
}

describe('RequestBudget', () => {
  it('sends a hundred at once, and then ten a second, in order', () => {
    const { scheduler, sent, spend } = budgeted();
    for (let count = 0; count < 105; count += 1) spend().subscribe();
    expect(sent).toHaveLength(100);
    advanceBy(scheduler, 1000);
    expect(sent.slice(100)).toEqual([100, 200, 300, 400, 500]);
  });

  it('fills up again in a pause, and no further', () => {
    const { scheduler, sent, spend } = budgeted();
    for (let count = 0; count < 100; count += 1) spend().subscribe();
    advanceBy(scheduler, 5000);
    for (let count = 0; count < 51; count += 1) spend().subscribe();
    expect(sent).toHaveLength(150);
    advanceBy(scheduler, 1_000_000);
    for (let count = 0; count < 101; count += 1) spend().subscribe();
    expect(sent).toHaveLength(251);
  });

  it('takes a request that was left before it was sent for none, and leaves no timer', () => {
    const { scheduler, sent, spend } = budgeted();
    for (let count = 0; count < 100; count += 1) spend().subscribe();
    for (let count = 0; count < 50; count += 1) spend().subscribe().unsubscribe();
    expect(scheduler.actions).toHaveLength(0);
    spend().subscribe();
    advanceBy(scheduler, 100);
    expect(sent).toHaveLength(101);
  });

  it('counts nothing before it is subscribed to', () => {
    const scheduler = new VirtualTimeScheduler();
    const budget = new RequestBudget(scheduler);
    for (let count = 0; count < 200; count += 1) void budget.spend(() => NEVER);
    let sent = false;
    budget.spend(() => ((sent = true), NEVER)).subscribe();
    expect(sent).toBe(true);
  });
});
