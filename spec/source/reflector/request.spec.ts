import { describe, expect, it } from '@jest/globals';
import { concat, NEVER, Observable, of, throwError } from 'rxjs';
import { Request } from '../../../src/source/reflector/request.js';

function sent(answer: () => Observable<string>, leaveAfter = Infinity) {
  const log: string[] = [];
  const request = new Request();
  request.send(answer, {
    next: (value) => {
      log.push(value);
      if (log.length >= leaveAfter) request.leave();
    },
    error: (error) => log.push(String(error)),
    complete: () => log.push('complete'),
  });
  return { request, log };
}

describe('Request', () => {
  it('passes on what comes', () => {
    expect(sent(() => of('a', 'b')).log).toEqual(['a', 'b', 'complete']);
    expect(
      sent(() =>
        concat(
          of('a'),
          throwError(() => new Error('broken')),
        ),
      ).log,
    ).toEqual(['a', 'Error: broken']);
  });

  it('takes a factory that throws for a request that fails', () => {
    const { log } = sent(() => {
      throw new Error('no watch');
    });
    expect(log).toEqual(['Error: no watch']);
  });

  it('is aborted once, however often it is left, and tells no end of it (RW-16, RT-12)', () => {
    let aborted = 0;
    const { request, log } = sent(() => concat(of('a'), new Observable<string>(() => () => (aborted += 1))));
    request.leave();
    request.leave();
    request.leave();
    expect([request.isLeft, aborted, log]).toEqual([true, 1, ['a']]);
  });

  it('tells nothing more once it is left, also while it emits synchronously', () => {
    expect(sent(() => of('a', 'b', 'c'), 2).log).toEqual(['a', 'b']);
    expect(sent(() => concat(of('a', 'b'), NEVER), 1).log).toEqual(['a']);
  });
});
