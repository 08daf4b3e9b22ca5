import { describe, expect, it } from '@jest/globals';
import { concat, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { createRequestSlot, type RequestObserver } from '../../../src/source/reflector/requestSlot.js';

function noting(log: string[]): RequestObserver<number> {
  return {
    next: (value) => log.push(String(value)),
    error: (error) => log.push(`error ${String(error)}`),
    complete: () => log.push('complete'),
  };
}

describe('createRequestSlot', () => {
  it('tells what the request tells', () => {
    const log: string[] = [];
    const slot = createRequestSlot();
    slot.start(() => of(1, 2), noting(log));
    slot.start(() => throwError(() => new Error('no')), noting(log));
    expect(log).toEqual(['1', '2', 'complete', 'error Error: no']);
  });

  it('takes a factory that throws for a request that fails', () => {
    const log: string[] = [];
    createRequestSlot().start(() => {
      throw new Error('broken');
    }, noting(log));
    expect(log).toEqual(['error Error: broken']);
  });

  it('aborts a request that is replaced, which tells nothing more (RW-15, LW-03)', () => {
    const log: string[] = [];
    const first = new Subject<number>();
    const slot = createRequestSlot();
    slot.start(() => first, noting(log));
    slot.start(() => NEVER, noting(log));
    expect(first.observed).toBe(false);
    expect(log).toEqual([]);
  });

  it('can be stopped from inside a synchronous request, which stops producing (RW-16, RT-12)', () => {
    const log: string[] = [];
    let produced = 0;
    const endless = new Observable<number>((subscriber) => {
      while (!subscriber.closed) subscriber.next((produced += 1));
    });
    const slot = createRequestSlot();
    slot.start(() => endless, {
      ...noting(log),
      next: (value) => {
        log.push(String(value));
        if (value === 3) slot.stop();
      },
    });
    slot.stop();
    expect(log).toEqual(['1', '2', '3']);
    expect(produced).toBe(3);
  });

  it('can send the next request when one has ended', () => {
    const log: string[] = [];
    const slot = createRequestSlot();
    slot.start(() => concat(of(1), NEVER), { ...noting(log), next: () => slot.start(() => of(2), noting(log)) });
    expect(log).toEqual(['2', 'complete']);
  });
});
