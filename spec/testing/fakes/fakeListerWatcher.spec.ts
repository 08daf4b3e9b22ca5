import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, tap, toArray, VirtualTimeScheduler, type Observable, type Subscription } from 'rxjs';
import { ApiError } from '../../../src/api/errors/apiError.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListerWatcher, ListRequest, WatchRequest } from '../../../src/api/listerWatcher.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import type { FakeListerWatcherOptions } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { failureStatus, statusError } from '../../../src/testing/fakes/serverErrors.js';

const pod = (name: string, labels: Record<string, string> = {}, namespace = 'default'): KubernetesObject => ({
  metadata: { namespace, name, labels },
});

function served(
  options: FakeListerWatcherOptions = {},
  names: readonly string[] = [],
): { scheduler: VirtualTimeScheduler; server: FakeListerWatcher } {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, ...options });
  for (const name of names) server.add(pod(name));
  return { scheduler, server };
}

function text(object: KubernetesObject): string {
  return `${object.metadata?.name ?? ''}@${object.metadata?.resourceVersion ?? ''}`;
}

/** The events of a watch, including its end. */
function watched(
  source: Pick<ListerWatcher<KubernetesObject>, 'watch'>,
  request: WatchRequest,
): { log: string[]; subscription: Subscription } {
  const log: string[] = [];
  const subscription = source.watch(request).subscribe({
    next: ([event]) => {
      if (event === undefined) log.push('open');
      else if (event.type === 'ERROR') log.push(`ERROR ${String(event.object.code)}`);
      else log.push(`${event.type} ${text(event.object)}${event.object.metadata?.annotations === undefined ? '' : ' marker'}`);
    },
    error: (error: unknown) => log.push(String(error)),
    complete: () => log.push('closed'),
  });
  return { log, subscription };
}

function listed(
  source: { list(request: ListRequest): Observable<{ items: readonly KubernetesObject[] }> },
  request: ListRequest,
): unknown[] {
  const chunks: unknown[] = [];
  source.list(request).subscribe({
    next: ({ items, ...rest }) => chunks.push({ ...rest, items: items.map(text).join(' ') }),
    error: (error: unknown) => chunks.push(error instanceof ApiError ? error.code : error),
  });
  return chunks;
}

describe('FakeListerWatcher', () => {
  it('gives each write a version, which lists carry too, and each object a uid that stays (FK-02)', () => {
    const { server } = served();
    const added = server.add(pod('a'));
    const modified = server.modify(pod('a', { app: 'web' }));
    expect(added.metadata).toMatchObject({ resourceVersion: '2', uid: 'uid-1' });
    expect(modified.metadata).toMatchObject({ resourceVersion: '3', uid: 'uid-1', labels: { app: 'web' } });
    expect(server.delete('default/a').metadata).toMatchObject({ resourceVersion: '4', uid: 'uid-1' });
    expect(server.add(pod('a')).metadata).toMatchObject({ resourceVersion: '5', uid: 'uid-2' });
    expect(server.resourceVersion).toBe('5');
    expect(server.objects().map(text)).toEqual(['a@5']);
  });

  it.each<[string, (server: FakeListerWatcher) => void, string]>([
    ['adds a name twice', (server) => server.add(pod('a')), 'Expected no object "default/a", got one'],
    ['modifies what is not there', (server) => server.modify(pod('b')), 'Expected an object "default/b", got none'],
    ['deletes what is not there', (server) => server.delete('a'), 'Expected an object "a", got none'],
    ['adds what has no name', (server) => server.add({}), 'Expected an object with `metadata.name`, got one without'],
  ])('refuses a test that %s (FK-01)', (_, mistake, message) => {
    const { server } = served({}, ['a']);
    expect(() => mistake(server)).toThrow(message);
    expect(server.resourceVersion).toBe('2');
  });

  it('lists page by page, at the version of the first page', () => {
    const { server } = served({}, ['a', 'b', 'c']);
    expect(listed(server, { limit: 2 })).toEqual([{ metadata: { resourceVersion: '4', continue: '4|default/b' }, items: 'a@2 b@3' }]);
    server.delete('default/c');
    server.add(pod('d'));
    expect(listed(server, { limit: 2, continue: '4|default/b' })).toEqual([{ metadata: { resourceVersion: '4' }, items: 'c@4' }]);
    server.compact();
    expect(listed(server, { limit: 2, continue: '4|default/b' })).toEqual([410]);
  });

  it('lists whole from its cache, exactly at a version, and at least at one', () => {
    const { server } = served({}, ['a', 'b', 'c']);
    expect(listed(server, { resourceVersion: '0', limit: 1 })).toEqual([{ metadata: { resourceVersion: '4' }, items: 'a@2 b@3 c@4' }]);
    expect(listed(server, { resourceVersion: '3', resourceVersionMatch: 'Exact' })).toEqual([
      { metadata: { resourceVersion: '3' }, items: 'a@2 b@3' },
    ]);
    expect(listed(server, { resourceVersion: '3', limit: 5 })).toEqual([{ metadata: { resourceVersion: '3' }, items: 'a@2 b@3' }]);
    expect(listed(server, { resourceVersion: '3' })).toEqual([{ metadata: { resourceVersion: '4' }, items: 'a@2 b@3 c@4' }]);
    expect(listed(server, { resourceVersion: '9' })).toEqual([504]);
  });

  it('cuts an answer into parts', async () => {
    const { server } = served({ chunkSize: 2 }, ['a', 'b', 'c']);
    const chunks = await lastValueFrom(server.list({}).pipe(toArray()), { defaultValue: [] });
    expect(chunks.map(({ items, metadata }) => [items.map(text).join(' '), metadata?.resourceVersion])).toEqual([
      ['a@2 b@3', undefined],
      ['c@4', undefined],
      ['', '4'],
    ]);
  });

  it('watches from a version without a gap and without a repetition', () => {
    const { server } = served({}, ['a', 'b']);
    server.modify(pod('a'));
    const { log, subscription } = watched(server, { resourceVersion: '3' });
    server.delete('default/b');
    subscription.unsubscribe();
    server.add(pod('c'));
    expect(log).toEqual(['open', 'MODIFIED a@4', 'DELETED b@5']);
    expect(server.openWatches).toBe(0);
  });

  it('tells a change that a receiver makes after the one it reacts to, to every watch', () => {
    const { server } = served();
    const first: string[] = [];
    const reacting = server.watch({ resourceVersion: '1' }).pipe(
      tap(([event]) => {
        if (event?.type !== 'ADDED') return;
        if (event.object.metadata?.name === 'a') server.add(pod('b'));
        first.push(text(event.object));
      }),
    );
    watched({ watch: () => reacting }, {});
    const { log } = watched(server, { resourceVersion: '1' });
    server.add(pod('a'));
    expect(first).toEqual(['a@2', 'b@3']);
    expect(log).toEqual(['open', 'ADDED a@2', 'ADDED b@3']);
  });

  it('watches without a version from everything there is (FK-03)', () => {
    const { server } = served({}, ['a']);
    expect(watched(server, {}).log).toEqual(['open', 'ADDED a@2']);
    expect(watched(server, { resourceVersion: '0' }).log).toEqual(['open', 'ADDED a@2']);
  });

  it('tells a version of the past by a 410, and is silent about one of the future', () => {
    const { server } = served({}, ['a', 'b']);
    server.restart();
    expect(watched(server, { resourceVersion: '2' }).log).toEqual(['ERROR 410', 'closed']);
    const { log } = watched(server, { resourceVersion: '5' });
    server.add(pod('c'));
    server.add(pod('d'));
    server.add(pod('e'));
    expect(log).toEqual(['open', 'ADDED e@6']);
  });

  it('has a watch cache, which a compaction leaves alone, and which is empty after a restart', () => {
    const { server } = served({}, ['a', 'b']);
    const exactly = { resourceVersion: '2', resourceVersionMatch: 'Exact' } as const;
    server.restart();
    expect(watched(server, { resourceVersion: '2' }).log).toEqual(['ERROR 410', 'closed']);
    expect(listed(server, exactly)).toEqual([{ metadata: { resourceVersion: '2' }, items: 'a@2' }]);
    server.add(pod('c'));
    server.compact();
    expect(watched(server, { resourceVersion: '3' }).log).toEqual(['open', 'ADDED c@4']);
    expect(listed(server, exactly)).toEqual([410]);
  });

  it('keeps its place in open watches when it forgets the past', () => {
    const { server } = served({}, ['a']);
    const { log } = watched(server, { resourceVersion: '2' });
    server.add(pod('b'));
    server.compact();
    server.add(pod('c'));
    expect(log).toEqual(['open', 'ADDED b@3', 'ADDED c@4']);
  });

  it.each([
    ['on', ['open', 'ADDED a@2', 'BOOKMARK @2 marker', 'ADDED b@3']],
    ['ignored', ['open', 'ADDED a@2', 'ADDED b@3']],
    ['refused', ['ApiError: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch']],
  ] as const)('streams a list: %s', (watchList, expected) => {
    const { server } = served({ watchList }, ['a']);
    const { log } = watched(server, { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true });
    server.add(pod('b'));
    expect(log).toEqual(expected);
  });

  it('sends bookmarks while the version moves, to those who ask for them (FK-05)', () => {
    const { scheduler, server } = served({}, ['a']);
    const { log } = watched(server.inNamespace('other'), { resourceVersion: '2', allowWatchBookmarks: true });
    const without = watched(server, { resourceVersion: '3' });
    advanceBy(scheduler, 60_000);
    server.add(pod('b'));
    advanceBy(scheduler, 60_000);
    expect(log).toEqual(['open', 'BOOKMARK @3']);
    expect(without.log).toEqual(['open']);
  });

  it('closes a watch after the time that was asked for', () => {
    const { scheduler, server } = served();
    const { log } = watched(server, { resourceVersion: '1', timeoutSeconds: 10 });
    advanceBy(scheduler, 9999);
    expect(log).toEqual(['open']);
    advanceBy(scheduler, 1);
    expect(log).toEqual(['open', 'closed']);
  });

  it('answers late when told so, errors as well', () => {
    const { scheduler, server } = served({ latencyMs: 50 }, ['a']);
    server.failNext('list', statusError(500, 'InternalError', 'no'));
    const failed: unknown[] = [];
    const events: unknown[] = [];
    server.list({}).subscribe({ error: (error: unknown) => failed.push(error) });
    server.list({}).subscribe({
      next: (chunk) => events.push(chunk),
      error: (error: unknown) => failed.push(error),
      complete: () => events.push('complete'),
    });
    advanceBy(scheduler, 49);
    expect([failed, events]).toEqual([[], []]);
    advanceBy(scheduler, 1);
    expect(failed).toHaveLength(1);
    expect(events).toHaveLength(2);
  });

  it('selects: a change that moves an object out of the selection is a deletion (FK-06)', () => {
    const { server } = served();
    const web = server.where((object) => object.metadata?.labels?.['app'] === 'web', 'web');
    const { log } = watched(web, { resourceVersion: '1' });
    server.add(pod('a', { app: 'web' }));
    server.modify(pod('a', { app: 'web' }));
    server.modify(pod('a', { app: 'db' }));
    server.delete('default/a');
    server.add(pod('b', { app: 'db' }));
    server.modify(pod('b', { app: 'web' }));
    expect(log).toEqual(['open', 'ADDED a@2', 'MODIFIED a@3', 'DELETED a@4', 'ADDED b@7']);
    expect(web.scope).toBe('web');
    expect(listed(web, {})).toEqual([{ metadata: { resourceVersion: '7' }, items: 'b@7' }]);
  });

  it.each<[string, (server: FakeListerWatcher) => void, string[]]>([
    ['expire', (server) => server.expire(), ['ERROR 410', 'closed']],
    ['close', (server) => server.close(), ['closed']],
    ['reset', (server) => server.reset(), ['Error: connect ECONNRESET']],
    ['fail', (server) => server.fail(failureStatus(500, 'InternalError', 'no')), ['ERROR 500', 'closed']],
    ['stall', (server) => server.stall(), []],
    ['stop', (server) => server.stop(), ['Error: connect ECONNRESET']],
    ['restore', (server) => server.restore('2'), ['Error: connect ECONNRESET']],
  ])('ends open watches by %s (FK-11)', (_, fault, expected) => {
    const { server } = served({}, ['a', 'b']);
    const { log } = watched(server, { resourceVersion: '3' });
    fault(server);
    if (expected.length === 0) {
      server.add(pod('c'));
      server.reset();
    }
    expect(log).toEqual(['open', ...expected]);
  });

  it('refuses connections while it is stopped', () => {
    const { server } = served({}, ['a']);
    server.stop();
    expect(watched(server, {}).log).toEqual(['Error: connect ECONNREFUSED']);
    server.start();
    expect(watched(server, {}).log).toEqual(['open', 'ADDED a@2']);
  });

  it('fails or hangs the next requests of a verb, one for each call (FK-09)', () => {
    const { server } = served({}, ['a']);
    server.failNext('watch', new Error('first'));
    server.hangNext('watch');
    expect([1, 2, 3].map(() => watched(server, {}).log)).toEqual([['Error: first'], [], ['open', 'ADDED a@2']]);
    expect(listed(server, {})).toHaveLength(1);
  });

  it('loses events for good', () => {
    const { server } = served({}, ['a']);
    const { log } = watched(server, { resourceVersion: '2' });
    server.loseEvents(() => server.add(pod('b')));
    server.add(pod('c'));
    expect(log).toEqual(['open', 'ADDED c@4']);
    expect(watched(server, { resourceVersion: '2' }).log).toEqual(['open', 'ADDED c@4']);
    expect(listed(server, {})).toEqual([{ metadata: { resourceVersion: '4' }, items: 'a@2 b@3 c@4' }]);
  });

  it('goes back to an earlier version', () => {
    const { server } = served({}, ['a', 'b']);
    server.delete('default/a');
    server.restore('3');
    expect(server.objects().map(text)).toEqual(['a@2', 'b@3']);
    expect(server.add(pod('c')).metadata?.resourceVersion).toBe('4');
    expect(watched(server, { resourceVersion: '2' }).log).toEqual(['ERROR 410', 'closed']);
  });

  it('notes each request when it is sent (FK-09)', () => {
    const { scheduler, server } = served();
    const list = server.list({ limit: 5 });
    expect(server.requests).toEqual([]);
    advanceBy(scheduler, 70);
    list.subscribe({ error: () => undefined });
    expect(server.requests).toEqual([{ at: 70, verb: 'list', request: { limit: 5 } }]);
  });

  it('repeats a deletion between a list and its watch (FK-04)', () => {
    const { server } = served({}, ['a', 'b']);
    const [{ metadata } = { metadata: undefined }] = listed(server, {}) as { metadata: { resourceVersion: string } }[];
    server.delete('default/a');
    expect(server.resourceVersion).toBe('4');
    expect(watched(server, { resourceVersion: metadata?.resourceVersion ?? '' }).log).toEqual(['open', 'DELETED a@4']);
  });

  it('tells a thousand changes to a watch that is not read meanwhile (FK-07)', () => {
    const { scheduler, server } = served({ latencyMs: 50 });
    const { log, subscription } = watched(server, { resourceVersion: '1' });
    for (let at = 0; at < 1000; at += 1) server.add(pod(`p${at}`));
    expect(log).toEqual([]);
    advanceBy(scheduler, 50);
    expect(log).toHaveLength(1001);
    subscription.unsubscribe();
    expect(() => server.add(pod('late'))).not.toThrow();
    expect(log).toHaveLength(1001);
  });

  it.each(['on', 'refused', 'ignored'] as const)('lets an informer sync whether it streams lists or not: %s (FK-08)', (watchList) => {
    const { scheduler, server } = served({ watchList }, ['a']);
    const informer = createInformer(server, { scheduler, logger: { warn: () => undefined } });
    informer.start();
    advanceBy(scheduler, 60_000);
    expect(informer.indexer.listKeys()).toEqual(['default/a']);
    expect(informer.hasSynced()).toBe(true);
    void informer.stop();
  });

  it('closes a watch once, whatever comes after (FK-12)', () => {
    const { server } = served();
    const { log } = watched(server, { resourceVersion: '1' });
    server.close();
    server.close();
    server.add(pod('a'));
    expect(log).toEqual(['open', 'closed']);
  });

  it('never changes an object that it handed out', () => {
    const { server } = served();
    const given = Object.freeze(pod('a'));
    const stored = server.add(given);
    const before = structuredClone(stored);
    server.modify(pod('a', { app: 'web' }));
    server.delete('default/a');
    expect(stored).toEqual(before);
    expect(given).toEqual(pod('a'));
  });
});
