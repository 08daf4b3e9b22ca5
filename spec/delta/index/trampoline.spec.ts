import { describe, expect, it } from '@jest/globals';
import { from, map, Observable, Subject, take, tap } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { trampoline, Trampoline } from '../../../src/rx/trampoline.js';

const createTestScheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

const failure = new Error('failed');

describe('trampoline', () => {
  it('passes notifications on in order and in time', () => {
    createTestScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('  --a-(bc)--#');
      const subs = '        ^---------!';
      const expected = '    --a-(bc)--#';
      expectObservable(source.pipe(trampoline())).toBe(expected);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('takes its turn with others that have the same turns', () => {
    const turns = new Trampoline();
    const [one, other] = [new Subject<string>(), new Subject<string>()];
    const seen: string[] = [];
    other.pipe(trampoline(turns)).subscribe((value) => seen.push(value));
    one.pipe(trampoline(turns)).subscribe((value) => {
      other.next(`after ${value}`);
      seen.push(value);
    });
    one.next('a');
    expect(seen).toEqual(['a', 'after a']);
  });

  it('unsubscribes from its source', () => {
    createTestScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('  --a-b-c--');
      const subs = '        ^----!';
      expectObservable(source.pipe(trampoline()), subs).toBe('--a-b');
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('lets every subscriber finish with a value before a value caused by it begins', () => {
    const source = new Subject<string>();
    const shared = new Subject<string>();
    const seen: string[] = [];
    shared.subscribe((value) => {
      seen.push(`first ${value}`);
      if (value === 'a') {
        source.next('b');
        source.next('c');
      }
    });
    shared.subscribe((value) => seen.push(`second ${value}`));
    source.pipe(trampoline()).subscribe(shared);
    source.next('a');
    expect(seen).toEqual(['first a', 'second a', 'first b', 'second b', 'first c', 'second c']);
  });

  it.each([
    ['completion', (source: Subject<string>) => source.complete(), 'done'],
    ['an error', (source: Subject<string>) => source.error(failure), failure],
  ])('delivers %s after the values that came before it', (_, end, expected) => {
    const source = new Subject<string>();
    const seen: unknown[] = [];
    source
      .pipe(
        trampoline(),
        tap((value) => {
          if (value !== 'a') return;
          source.next('b');
          end(source);
          seen.push('after a');
        }),
      )
      .subscribe({ next: (value) => seen.push(value), error: (error: unknown) => seen.push(error), complete: () => seen.push('done') });
    source.next('a');
    expect(seen).toEqual(['after a', 'a', 'b', expected]);
  });

  it('drops what waits when it is unsubscribed', () => {
    const source = new Subject<string>();
    const seen: string[] = [];
    const subscription = source.pipe(trampoline()).subscribe((value) => {
      seen.push(value);
      source.next('never');
      subscription.unsubscribe();
    });
    source.next('a');
    expect(seen).toEqual(['a']);
    expect(source.observed).toBe(false);
  });

  it('stops a synchronous source as soon as it is unsubscribed', () => {
    let produced = 0;
    const endless = new Observable<number>((subscriber) => {
      while (!subscriber.closed && produced < 100) subscriber.next((produced += 1));
    });
    const seen: number[] = [];
    endless.pipe(trampoline(), take(3)).subscribe((value) => seen.push(value));
    expect(seen).toEqual([1, 2, 3]);
    expect(produced).toBe(3);
  });

  it('keeps the sessions of two subscriptions apart', () => {
    const seen: number[] = [];
    const result = from([1, 2]).pipe(
      trampoline(),
      map((value) => value * 10),
    );
    result.subscribe((value) => {
      seen.push(value);
      if (value === 10) result.subscribe((inner) => seen.push(inner + 1));
    });
    expect(seen).toEqual([10, 11, 21, 20]);
  });

  it('goes on after a subscriber has thrown inside an operator', () => {
    const source = new Subject<string>();
    const shared = new Subject<string>();
    const seen: string[] = [];
    shared
      .pipe(
        map((): string => {
          throw new Error('broken projection');
        }),
      )
      .subscribe({ error: () => seen.push('failed') });
    shared.subscribe((value) => seen.push(value));
    source.pipe(trampoline()).subscribe(shared);
    source.next('a');
    source.next('b');
    expect(seen).toEqual(['failed', 'a', 'b']);
  });
});
