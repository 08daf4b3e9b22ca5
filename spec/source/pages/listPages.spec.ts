import { describe, expect, it } from '@jest/globals';
import {
  asyncScheduler,
  concat,
  map,
  NEVER,
  of,
  type SchedulerLike,
  Subscription,
  throwError,
  VirtualTimeScheduler,
  type Observable,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
import type { ListChunk, ListerWatcher, ListRequest } from '../../../src/api/listerWatcher.js';
import { followByLists, listPages, type ListPagesEvent } from '../../../src/source/pages/listPages.js';
import { expiredStatus, statusError } from '../../../src/testing/fakes/serverErrors.js';

type Chunk = ListChunk<string>;

const page = (items: readonly string[], resourceVersion: string, token?: string): Chunk => ({
  metadata: { resourceVersion, ...(token !== undefined && { continue: token }) },
  items,
});
const items = (...names: string[]): ListPagesEvent<string> => ({ type: 'items', items: names });
const end = (resourceVersion: string, paginated: boolean): ListPagesEvent<string> => ({ type: 'end', resourceVersion, paginated });
const expired = apiErrorOfStatus(expiredStatus('10', '11'));

/** Answers the first, second, ... request, and records the requests. */
function server(...answers: Observable<Chunk>[]): Pick<ListerWatcher<string>, 'list'> & { requests: ListRequest[] } {
  const requests: ListRequest[] = [];
  return {
    requests,
    list: (request) => {
      requests.push(request);
      return answers[requests.length - 1] ?? throwError(() => new Error('not in the script'));
    },
  };
}

function marbles(run: Parameters<TestScheduler['run']>[0]): void {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);
}

const scheduler = new VirtualTimeScheduler();

function collect(source: ReturnType<typeof server>, request: ListRequest): unknown[] {
  const log: unknown[] = [];
  listPages(source, request, { scheduler }).subscribe({
    next: (event) => log.push(event),
    error: (error: unknown) => log.push(error),
    complete: () => log.push('complete'),
  });
  return log;
}

describe('listPages', () => {
  it('passes the items of the only page on as they are (PG-03)', () => {
    const only = page(['a', 'b'], '10');
    const log = collect(server(of(only)), { limit: 500 });
    expect(log).toEqual([items('a', 'b'), end('10', false), 'complete']);
    expect((log[0] as { items: unknown }).items).toBe(only.items);
  });

  it('keeps the limit of the request, and clears version and match on later pages (PG-01, PG-04)', () => {
    const source = server(of(page(['a'], '10', 't1')), of(page(['b'], '11', 't2')), of(page([], '12')));
    expect(collect(source, { limit: 1, resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' })).toEqual([
      items('a'),
      items('b'),
      end('10', true),
      'complete',
    ]);
    expect(source.requests).toEqual([
      { limit: 1, resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' },
      { limit: 1, continue: 't1' },
      { limit: 1, continue: 't2' },
    ]);
  });

  it('lists everything at the version asked for when a token expires (PG-05)', () => {
    const source = server(
      of(page(['a'], '10', 't1')),
      throwError(() => expired),
      of(page(['b', 'c'], '20')),
    );
    expect(collect(source, { limit: 1, resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' })).toEqual([
      items('a'),
      { type: 'restart', error: expired },
      items('b', 'c'),
      end('20', true),
      'complete',
    ]);
    expect(source.requests[2]).toEqual({ resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' });
  });

  it.each([
    ['on the first page', [throwError(() => expired)], expired],
    ['once more', [of(page(['a'], '10', 't1')), throwError(() => expired), throwError(() => expired)], expired],
    [
      'on a page of the list that is to have none',
      [of(page(['a'], '10', 't1')), throwError(() => expired), of(page(['a'], '10', 't1')), throwError(() => expired)],
      expired,
    ],
  ])('fails when a version expires %s (PG-05)', (_, answers, error) => {
    expect(collect(server(...answers), { limit: 1 }).at(-1)).toBe(error);
  });

  it('fails when a token is gone without the reason Expired (PG-05)', () => {
    const gone = statusError(410, 'Gone', 'gone');
    expect(
      collect(
        server(
          of(page(['a'], '10', 't1')),
          throwError(() => gone),
        ),
        { limit: 1 },
      ),
    ).toEqual([items('a'), gone]);
  });

  it('takes the last metadata of an answer that comes in parts', () => {
    const parts = of({ metadata: { resourceVersion: '9' }, items: ['a'] }, { items: ['b'] }, { ...page([], '10', 't1') });
    const source = server(parts, of(page([], '11')));
    expect(collect(source, {})).toEqual([items('a'), items('b'), end('10', true), 'complete']);
    expect(source.requests[1]).toEqual({ continue: 't1' });
  });

  it('ends with a page that brings no metadata', () => {
    expect(collect(server(of(page(['a'], '10', 't1')), of({ items: ['b'] })), {})).toEqual([
      items('a'),
      items('b'),
      end('10', true),
      'complete',
    ]);
  });

  it.each([
    ['a Table (RL-13)', { kind: 'Table', apiVersion: 'meta.k8s.io/v1', items: [] }, 'Expected a list, got a Table of meta.k8s.io/v1'],
    [
      'an older Table (RL-13)',
      { kind: 'Table', apiVersion: 'meta.k8s.io/v1beta1', items: [] },
      'Expected a list, got a Table of meta.k8s.io/v1beta1',
    ],
    ['null instead of items', { metadata: { resourceVersion: '1' }, items: null }, 'Expected a list with items, got object for them'],
    ['no version', { items: [] }, `the list came without a resourceVersion, so it cannot be watched from there; ${followByLists}`],
    [
      'a number as version',
      { metadata: { resourceVersion: 7 }, items: [] },
      `the list came without a resourceVersion, so it cannot be watched from there; ${followByLists}`,
    ],
  ])('refuses %s', (_, chunk, message) => {
    expect(collect(server(of(chunk as unknown as Chunk)), {})).toEqual([expect.objectContaining({ message })]);
  });

  it('takes a Table of another group for a list (RL-13)', () => {
    expect(collect(server(of({ ...page(['a'], '1'), kind: 'Table', apiVersion: 'furniture.io/v1' })), {})).toEqual([
      items('a'),
      end('1', false),
      'complete',
    ]);
  });

  it('follows ten thousand synchronous pages without growing the stack', () => {
    let asked = 0;
    const endless = {
      requests: [],
      list: () => {
        asked += 1;
        return of(page(['a'], '1', asked < 10_000 ? `t${asked}` : undefined));
      },
    };
    expect(collect(endless, {}).at(-1)).toBe('complete');
    expect(asked).toBe(10_000);
  });

  it('fails after too long a silence, of each request and each part anew', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const values = { a: page(['a'], '10', 't1'), b: { items: ['b'] } };
      const first = cold<Chunk>('9ms (a|)', values);
      const second = cold<Chunk>(' 8ms b 30ms |', values);
      const result = listPages(server(first, second), {}, { timeoutMs: 10, scheduler: asyncScheduler });
      expectObservable(result).toBe('9ms a 7ms b 9ms #', { a: items('a'), b: items('b') }, new Error('No answer for 10 ms'));
      expectSubscriptions(first.subscriptions).toBe('^ 8ms !');
      expectSubscriptions(second.subscriptions).toBe('9ms ^ 17ms !');
    });
  });

  it.each([undefined, Infinity])('waits for as long as it takes with the timeout %s, on whatever scheduler', (timeoutMs) => {
    const timers: unknown[] = [];
    const scheduler: SchedulerLike = {
      now: () => 0,
      schedule: (...given: readonly unknown[]) => {
        timers.push(given);
        return Subscription.EMPTY;
      },
    };
    const log: unknown[] = [];
    listPages(server(concat(of(page(['a'], '10')), NEVER)), {}, { timeoutMs, scheduler }).subscribe((event) => log.push(event));
    expect([log, timers]).toEqual([[items('a')], []]);
  });

  it('fails with an expired token where it is to list in pages or not at all (PG-05, PG-07)', () => {
    const source = server(
      of(page(['a'], '10', 't1')),
      throwError(() => expired),
    );
    const log: unknown[] = [];
    listPages(source, { limit: 1 }, { fullListIfExpired: false }).subscribe({
      next: (event) => log.push(event),
      error: (error: unknown) => log.push(error),
    });
    expect(log).toEqual([items('a'), expired]);
    expect(source.requests).toHaveLength(2);
  });

  it('asks for no other page when an operator has thrown, whose error counts (PG-07)', () => {
    const broken = new Error('broken');
    const source = server(
      of(page(['a'], '10', 't1')),
      throwError(() => new Error('never asked for')),
    );
    const errors: unknown[] = [];
    listPages(source, { limit: 1 })
      .pipe(
        map(() => {
          throw broken;
        }),
      )
      .subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toEqual([broken]);
    expect(source.requests).toHaveLength(1);
  });

  it.each([
    [{ timeoutMs: 0 }, 'Expected `timeoutMs` of `listPages` to be a number of milliseconds > 0 or Infinity, got 0'],
    [{ fullListIfExpired: 1 as unknown as boolean }, 'Expected `fullListIfExpired` of `listPages` to be a boolean, got 1'],
  ])('refuses %j', (options, message) => {
    expect(() => listPages(server(), {}, options)).toThrow(message);
  });

  it('aborts the request and asks for no other page after it was unsubscribed from (PG-06)', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const values = { a: page(['a'], '10', 't1') };
      const first = cold<Chunk>('--a 20ms |', values);
      const source = server(first);
      expectObservable(listPages(source, {}, { scheduler }), '----!').toBe('--a', { a: items('a') });
      expectSubscriptions(first.subscriptions).toBe('                        ^---!');
    });
  });
});
