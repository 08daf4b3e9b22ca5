import { describe, expect, it, jest } from '@jest/globals';
import {
  concat,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  NEVER,
  Observable,
  of,
  take,
  tap,
  throwError,
  timer,
  VirtualTimeScheduler,
} from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { SourceEvent } from '../../../src/api/events.js';
import type { Status } from '../../../src/api/errors/apiError.js';
import type { ListerWatcher, ListRequest, WatchChunk, WatchEvent, WatchRequest } from '../../../src/api/listerWatcher.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { foldSource } from '../../../src/testing/suites/foldSource.js';
import { connectionError, statusError } from '../../../src/testing/fakes/serverErrors.js';
import { bookmarkOf, listOf, podOf, watchEventOf } from '../../../src/testing/suites/sourceConformanceCase.js';
import { followByLists } from '../../../src/source/pages/listPages.js';
import { record } from '../recording/record.js';

type Event = SourceEvent<KubernetesObject>;
type WatchAnswer = Observable<WatchChunk<KubernetesObject>>;
/** Events one by one; `[]` is a sign of life. */
type Lines = Observable<WatchEvent<KubernetesObject> | readonly []>;

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });
const progress = [] as const;
const parts = (lines: Lines): WatchAnswer => lines.pipe(map((line) => [line].flat()));
const empty = (): Observable<ReturnType<typeof listOf>> => of(listOf('10', []));
const day = 86_400_000;
const virtual = new VirtualTimeScheduler();

function typesOf(events: readonly Event[]): string {
  return events
    .filter(({ type }) => type !== 'status')
    .map(({ type }) => type)
    .join(' ');
}

function failuresOf(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === 'status' && event.error !== undefined ? [event.error.code] : []));
}

describe('reflect', () => {
  it('does nothing before it is subscribed to', () => {
    const server = new FakeListerWatcher();
    const source = reflect(server);
    expect(source).toBeInstanceOf(Observable);
    expect(server.requests).toHaveLength(0);
  });

  it('runs two subscriptions as two sessions', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler, watchList: 'refused' });
    server.add(pod('a'));
    const source = reflect(server, { scheduler, random: () => 0 });
    const { values: first, subscription } = record(source);
    advanceBy(scheduler, 1000);
    server.add(pod('b'));
    const { values: second } = record(source);
    subscription.unsubscribe();
    server.add(pod('c'));
    expect(typesOf(first)).toBe('init init page ready added');
    expect(typesOf(second)).toBe('init init page ready added');
    expect(second.find(({ type }) => type === 'init')).toMatchObject({ reason: 'first', previousResourceVersion: '' });
    expect(server.requests.map(({ verb }) => verb).join(' ')).toBe('watch list watch watch list watch');
  });

  it('lets several sources learn from each other that lists cannot be streamed', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler, watchList: 'refused', resource: 'pods' });
    const watchListRefusals = new Map<string, number>();
    reflect(server, { scheduler, watchListRefusals }).subscribe();
    reflect(server, { scheduler, watchListRefusals }).subscribe();
    expect(server.requests.filter(({ request }) => request.sendInitialEvents === true)).toHaveLength(1);
    expect(watchListRefusals).toEqual(new Map([['pods', 3_600_000]]));
  });

  it('leaves nothing behind, wherever it is unsubscribed from (RX-13, RW-15)', () => {
    const run = (count: number): number => {
      const scheduler = new VirtualTimeScheduler();
      const server = new FakeListerWatcher({ scheduler, watchList: 'ignored', chunkSize: 1 });
      server.add(pod('a'));
      server.add(pod('b'));
      server.failNext('watch', statusError(403, 'Forbidden', 'no'));
      server.failNext('list', statusError(500, 'InternalError', 'no'));
      let received = 0;
      const problems: unknown[] = [];
      reflect(server, { scheduler, random: () => 0, relistPeriodMs: 40_000 })
        .pipe(take(count))
        .subscribe({ next: () => (received += 1), error: (error: unknown) => problems.push(error) });
      for (let minute = 0; minute < 5; minute += 1) {
        advanceBy(scheduler, 60_000);
        if (received < count) server.modify(pod('a'));
        server.reset();
      }
      expect(problems).toEqual([]);
      expect(server.openWatches).toBe(received < count ? 1 : 0);
      expect(scheduler.actions.length === 0).toBe(received === count);
      return received;
    };
    const all = run(Infinity);
    expect(all).toBeGreaterThan(30);
    for (let count = 1; count < all; count += 1) expect(run(count)).toBe(count);
  });

  it('leaves nothing behind when it is unsubscribed from between two events', () => {
    for (const ms of [0, 1, 500, 799, 800, 2000, 12_000, 75_000]) {
      const scheduler = new VirtualTimeScheduler();
      const server = new FakeListerWatcher({ scheduler, watchList: 'ignored', latencyMs: 3 });
      server.failNext('watch', connectionError('ECONNREFUSED'));
      const subscription = reflect(server, { scheduler }).subscribe();
      advanceBy(scheduler, ms);
      subscription.unsubscribe();
      expect(server.openWatches).toBe(0);
      expect(scheduler.actions).toHaveLength(0);
    }
  });

  it('takes a list or watch that throws for one that fails', () => {
    const scheduler = new VirtualTimeScheduler();
    const broken: ListerWatcher<KubernetesObject> = {
      list: () => {
        throw new Error('no list');
      },
      watch: () => {
        throw new Error('no watch');
      },
    };
    expect(failuresOf(record(reflect(broken, { scheduler })).values)).toEqual(['ERR_WATCH_LIST']);
    const { values: events } = record(reflect(broken, { scheduler, listStrategy: 'list' }));
    expect(failuresOf(events)).toEqual(['ERR_LIST']);
    expect(events.at(-1)).toMatchObject({ error: { message: 'Cannot list objects: no list', resource: 'objects', attempt: 1 } });
  });

  it('says which resource failed, at which attempt, why, and when it goes on', () => {
    const scheduler = new VirtualTimeScheduler();
    const cause = connectionError('ECONNREFUSED');
    const source: ListerWatcher<KubernetesObject> = {
      resource: 'pods',
      list: () => throwError(() => cause),
      watch: () => NEVER,
      watchList: false,
    };
    const { values: events } = record(reflect(source, { scheduler, random: () => 0.5 }));
    advanceBy(scheduler, 600);
    const attempts = events.filter((event) => event.type === 'status' && event.error !== undefined);
    expect(attempts).toMatchObject([
      { state: 'retrying', attempt: 1, nextAttemptAt: 600, error: { code: 'ERR_LIST', resource: 'pods', attempt: 1, cause } },
      { state: 'retrying', attempt: 2, nextAttemptAt: 1200, error: { message: 'Cannot list pods: connect ECONNREFUSED', attempt: 2 } },
    ]);
  });

  it('waits by the backoff that it is given (RX-08)', () => {
    const scheduler = new VirtualTimeScheduler();
    const source: ListerWatcher<KubernetesObject> = { list: () => throwError(() => new Error('no')), watch: () => NEVER, watchList: false };
    const backoff = { initialMs: 100, maxMs: 450, factor: 3, jitter: 0 };
    const { values } = record(reflect(source, { scheduler, backoff }));
    advanceBy(scheduler, 1_299);
    const attempts = values.flatMap((event) => (event.type === 'status' ? (event.nextAttemptAt ?? []) : []));
    expect(attempts).toEqual([100, 400, 850, 1_300]);
  });

  it.each<[string, Lines, number, string]>([
    [
      'very short',
      concat(of(progress), timer(10, virtual).pipe(ignoreElements())),
      10,
      'The watch of pods failed: the server closed it after 10 ms, before any event',
    ],
    [
      'no news',
      of(progress, watchEventOf('ADDED', podOf('a', '10'))),
      0,
      'The watch of pods failed: the server closed it after 0 ms, without any news',
    ],
    ['unopened', NEVER, 75_000, 'Cannot watch pods: no sign of life for 75000 ms'],
    [
      'refused',
      throwError(() => statusError(403, 'Forbidden', 'not you')),
      0,
      'Cannot watch pods: not you; the resource may be listed but not watched, so it is listed again after a backoff',
    ],
    [
      'left out',
      concat(of(progress, watchEventOf('ADDED', {})), NEVER),
      0,
      'Watching pods: left out an event ADDED whose object has no metadata',
    ],
    ['no version', concat(of(progress, bookmarkOf('')), NEVER), 0, 'Watching pods: a BOOKMARK came without a resourceVersion'],
    [
      'no version of an object',
      concat(of(progress, watchEventOf('ADDED', { metadata: { namespace: 'web', name: 'a' } })), NEVER),
      0,
      'Watching pods: ADDED of web/a came without a resourceVersion',
    ],
    [
      'not even an object',
      of({ type: 'ERROR', object: null as unknown as Status } as const),
      0,
      'The watch of pods failed: an ERROR event came without a Status',
    ],
    [
      'not a Status',
      of({ type: 'ERROR', object: { kind: 'Pod' } } as const),
      0,
      'The watch of pods failed: an ERROR event came without a Status',
    ],
    ['not an error', new Observable((subscriber) => subscriber.error({ odd: true })), 0, 'Cannot watch pods'],
  ])('says in words what is wrong with a watch: %s', (_, watch, ms, message) => {
    const scheduler = virtual;
    const source = { resource: 'pods', list: empty, watch: () => parts(watch), watchList: false };
    const { values, subscription } = record(reflect(source, { scheduler }));
    advanceBy(scheduler, ms);
    subscription.unsubscribe();
    expect(values.find((event) => event.type === 'status' && event.error !== undefined)).toMatchObject({
      error: { message, resource: 'pods' },
    });
  });

  it.each<[string, Partial<ListerWatcher<KubernetesObject>>, number, string]>([
    ['all namespaces, forbidden', { namespaced: true }, 403, '; `permittedNamespaces` follows the namespaces that may be read'],
    ['one namespace, forbidden', { namespaced: true, scope: 'web' }, 403, ''],
    ['no namespaces, forbidden', {}, 403, ''],
    ['all namespaces, out of order', { namespaced: true }, 500, ''],
    ['not to be listed at all', {}, 405, ''],
  ])('says what helps against a failed list: %s', (_, source, code, hint) => {
    const refused = throwError(() => statusError(code, 'Odd', 'not you'));
    const { values } = record(
      reflect({ resource: 'pods', list: () => refused, watch: () => NEVER, watchList: false, ...source }, { scheduler: virtual }),
    );
    expect(values.find((event) => event.type === 'status' && event.error !== undefined)).toMatchObject({
      error: { message: `Cannot list pods: not you${hint}` },
    });
  });

  it.each([
    [{ namespaced: true }, 403, '; the resource may be listed but not watched, so it is listed again after a backoff'],
    [{ namespaced: true }, 500, ''],
    [{}, 405, `; ${followByLists}`],
  ])('says what follows a watch that is not begun: %j, %i', (source, code, hint) => {
    const refused = throwError(() => statusError(code, 'Odd', 'not you'));
    const { values } = record(
      reflect({ resource: 'pods', list: empty, watch: () => refused, watchList: false, ...source }, { scheduler: virtual }),
    );
    expect(values.find((event) => event.type === 'status' && event.error !== undefined)).toMatchObject({
      error: { message: `Cannot watch pods: not you${hint}` },
    });
  });

  it('says nothing of namespaces when a watch fails that had begun, forbidden', () => {
    const scheduler = new VirtualTimeScheduler();
    const broken = concat(
      of(progress),
      throwError(() => statusError(403, 'Odd', 'not you')),
    );
    const source = { resource: 'pods', list: empty, watch: () => parts(broken), watchList: false, namespaced: true };
    const { values, subscription } = record(reflect(source, { scheduler }));
    advanceBy(scheduler, 5_000);
    subscription.unsubscribe();
    expect(values.find((event) => event.type === 'status' && event.error !== undefined)).toMatchObject({
      error: { message: 'The watch of pods failed: not you' },
    });
  });

  it.each<[string, Lines, number, string]>([
    ['closed', of(progress), 0, 'the server closed it after 0 ms, before the list was complete'],
    ['unopened', NEVER, 60_000, 'no sign of life for 60000 ms'],
    ['nothing', concat(of(progress), NEVER), 2000, 'nothing came for 2000 ms after the headers'],
    ['no end', concat(of(progress, progress), NEVER), 10_000, 'no end of the list and no new key for 10000 ms'],
    ['no marker', of(progress, bookmarkOf('9')), 0, 'the server sent a bookmark before the end of the list'],
    ['no version', of(progress, bookmarkOf('', { 'k8s.io/initial-events-end': 'true' })), 0, 'a BOOKMARK came without a resourceVersion'],
  ])('says in words what is wrong with a streamed list: %s', (_, watch, ms, why) => {
    const scheduler = new VirtualTimeScheduler();
    const { values } = record(reflect({ resource: 'pods', list: empty, watch: () => parts(watch) }, { scheduler }));
    advanceBy(scheduler, ms);
    const message = `Cannot stream the list of pods: ${why}`;
    expect(values.find((event) => event.type === 'status' && event.error !== undefined)).toMatchObject({
      state: 'listing',
      error: { message },
    });
  });

  it('fails with what `onError` throws', () => {
    const error = jest.fn();
    const broken = new Error('broken');
    const source: ListerWatcher<KubernetesObject> = { list: () => EMPTY, watch: () => EMPTY };
    reflect(source, {
      onError: () => {
        throw broken;
      },
    }).subscribe({ error });
    expect(error.mock.calls).toEqual([[broken]]);
  });

  it('never shows an object of a list that was not finished', () => {
    const scheduler = new VirtualTimeScheduler();
    const pods = ['a', 'b', 'c', 'd'].map((name, index) => podOf(name, String(index + 1)));
    for (let received = 0; received <= pods.length; received += 1) {
      const died = concat(
        of(...pods.slice(0, received).map((item) => ({ items: [item] }))),
        throwError(() => connectionError('ECONNRESET')),
      );
      const streamDied = concat(
        of(...pods.slice(0, received).map((item) => watchEventOf('ADDED', item))),
        throwError(() => connectionError('ECONNRESET')),
      );
      const survivors = pods.slice(2);
      for (const listStrategy of ['list', 'watchList'] as const) {
        const marker = bookmarkOf('10', { 'k8s.io/initial-events-end': 'true' });
        const lists = [died, of(listOf('10', survivors))];
        const watches: Lines[] = [streamDied, concat(of(...survivors.map((item) => watchEventOf('ADDED', item)), marker), NEVER)];
        const fold = foldSource<KubernetesObject>();
        const source: ListerWatcher<KubernetesObject> = {
          list: () => lists.shift() ?? NEVER,
          watch: () => parts(watches.shift() ?? NEVER),
        };
        if (listStrategy === 'list') watches.length = 0;
        record(reflect(source, { scheduler, listStrategy }).pipe(tap((event) => fold.apply(event))));
        advanceBy(scheduler, 2000);
        expect([...(fold.scopes.get('')?.values() ?? [])]).toEqual(survivors);
      }
    }
  });

  it('does not loop where a source answers and ends synchronously, for ever', () => {
    const scheduler = new VirtualTimeScheduler();
    const added = watchEventOf('ADDED', podOf('a', '11'));
    let watches = 0;
    const watch = (): WatchAnswer => {
      watches += 1;
      return of(progress, [added]);
    };
    const { values: events } = record(reflect({ list: empty, watch, watchList: false }, { scheduler, random: () => 0 }));
    expect(watches).toBe(2);
    advanceBy(scheduler, 600_000);
    expect(watches).toBeLessThan(600_000 / 800 + 3);
    expect(typesOf(events)).not.toContain('init added init');
  });

  it('asks a server that sends one new event and closes a hundred times at once, and ten times a second after that', () => {
    const scheduler = new VirtualTimeScheduler();
    let version = 10;
    let requests = 0;
    const asked = <V>(answer: Observable<V>): Observable<V> => defer(() => ((requests += 1), answer));
    const watch = (): WatchAnswer => {
      version += 1;
      return asked(of([bookmarkOf(String(version))]));
    };
    const source = { list: () => asked(defer(() => of(listOf(String(version), [])))), watch, watchList: false };
    const { values } = record(reflect(source, { scheduler }));
    expect(requests).toBe(100);
    advanceBy(scheduler, 3_000_000);
    expect(requests).toBe(30_100);
    expect(failuresOf(values)).toEqual([]);
  });

  it.each([
    { tokens: ['again'], free: 1 },
    { tokens: ['one', 'other'], free: 2 },
    { tokens: ['a', 'b', 'c', 'd', 'e'], free: 5 },
  ])('asks a server whose continue tokens come again ten times a second: $tokens', ({ tokens, free }) => {
    const scheduler = new VirtualTimeScheduler();
    let requests = 0;
    const list = (): Observable<ReturnType<typeof listOf>> => {
      requests += 1;
      if (requests > 10_000) throw new Error('It asks in a loop');
      return of(listOf('10', [podOf('a', '1')], tokens[requests % tokens.length]));
    };
    const { subscription } = record(reflect({ list, watch: () => NEVER, watchList: false }, { scheduler }));
    advanceBy(scheduler, 100_000);
    expect(requests).toBe(1_100 + free);
    subscription.unsubscribe();
    advanceBy(scheduler, 100_000);
    expect(requests).toBe(1_100 + free);
  });

  it('reads thirty thousand synchronous pages and events without growing the stack', () => {
    const pages = 30_000;
    const list = ({ continue: token = '0' }: ListRequest): Observable<ReturnType<typeof listOf>> =>
      of(listOf('10', [podOf('a', '1')], Number(token) + 1 < pages ? String(Number(token) + 1) : undefined));
    const events = Array.from({ length: pages }, (_, index) => watchEventOf('MODIFIED', podOf('a', String(11 + index))));
    const watch = (): WatchAnswer => parts(concat(from(events), NEVER));
    const { values } = record(reflect({ list, watch, watchList: false }, { scheduler: new VirtualTimeScheduler() }));
    expect(values.filter(({ type }) => type === 'page')).toHaveLength(pages);
    expect(values.filter(({ type }) => type === 'modified')).toHaveLength(pages);
  });

  it('reconnects a quiet watch that is closed every five minutes at once, all day, without an error (RW-04)', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    server.add(pod('a'));
    const { values: events } = record(reflect(server, { scheduler, random: () => 0, listStrategy: 'list', idleTimeoutMs: Infinity }));
    advanceBy(scheduler, day);
    expect(failuresOf(events)).toEqual([]);
    expect(typesOf(events)).toBe('init page ready');
    const watches = server.requests.filter(({ verb }) => verb === 'watch').map(({ at }) => at);
    expect(watches).toEqual(Array.from({ length: 289 }, (_, index) => index * 300_000));
  });

  it('keeps nothing of a year of reconnects', () => {
    const scheduler = new VirtualTimeScheduler();
    let open = 0;
    let watches = 0;
    const watch = ({ timeoutSeconds = 0 }: WatchRequest): WatchAnswer => {
      watches += 1;
      return concat(of(progress), timer(timeoutSeconds * 1000, scheduler).pipe(ignoreElements())).pipe(
        tap({ subscribe: () => (open += 1), finalize: () => (open -= 1) }),
      );
    };
    reflect(
      { list: empty, watch, watchList: false },
      { scheduler, random: () => 0, watchTimeoutMs: 3_600_000, idleTimeoutMs: Infinity },
    ).subscribe();
    let most = 0;
    for (let month = 0; month < 12; month += 1) {
      advanceBy(scheduler, 30 * day);
      most = Math.max(most, scheduler.actions.length);
      expect(open).toBe(1);
    }
    expect(watches).toBe(360 * 24 + 1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("draws each watch's end anew (RW-02)", () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler, bookmarkIntervalMs: 30_000 });
    const chances = [0, 0.5, 0.999];
    reflect(server, { scheduler, random: () => chances.shift() ?? 0, listStrategy: 'list', watchTimeoutMs: 10_000 }).subscribe();
    advanceBy(scheduler, 60_000);
    const seconds = server.requests.flatMap(({ request }) => request.timeoutSeconds ?? []);
    expect(seconds.slice(0, 4)).toEqual([10, 15, 19, 10]);
  });

  it('finds a server that was restored from a backup', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    server.add(pod('a'));
    const backup = server.resourceVersion;
    server.delete('default/a');
    server.add(pod('b'));
    const fold = foldSource<KubernetesObject>();
    record(reflect(server, { scheduler }).pipe(tap((event) => fold.apply(event))));
    server.restore(backup);
    advanceBy(scheduler, 160_000);
    expect([...(fold.scopes.get('')?.keys() ?? [])]).toEqual(['default/a']);
  });
});
