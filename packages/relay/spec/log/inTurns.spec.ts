import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { inTurns } from '../../src/log/inTurns.js';

function started(
  count: number,
  perTurn: number,
): { readonly log: string[]; readonly scheduler: VirtualTimeScheduler; readonly stop: () => void } {
  const scheduler = new VirtualTimeScheduler();
  const log: string[] = [];
  const running = inTurns({
    ...{ items: Array.from({ length: count }, (_, at) => at), perTurn, scheduler },
    each: (item) => log.push(String(item)),
    done: () => log.push('done'),
  });
  return { log, scheduler, stop: () => running.unsubscribe() };
}

describe('inTurns', () => {
  it('gives the first items their turn now, and the others in turns of their own', () => {
    const { log, scheduler } = started(5, 2);
    expect(log).toEqual(['0', '1']);
    scheduler.schedule(() => log.push('somebody else'));
    scheduler.flush();
    expect(log).toEqual(['0', '1', '2', '3', 'somebody else', '4', 'done']);
  });

  it.each([0, 2])('is done at once with %d items of two in a turn', (count) => {
    expect(started(count, 2).log.at(-1)).toBe('done');
  });

  it('ends with its subscription', () => {
    const { log, scheduler, stop } = started(5, 2);
    stop();
    scheduler.flush();
    expect(log).toEqual(['0', '1']);
  });
});
