import { describe, expect, it } from '@jest/globals';
import { config, filter, first, firstValueFrom, of, Subject, switchMap, throwError, timer, VirtualTimeScheduler } from 'rxjs';
import { ApiError, createInformer, isForbidden, type KubernetesObject } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { relaySource, relaySourceOver } from '../../src/client/relaySource.js';
import type { Connect } from '../../src/client/relayStream.js';
import type { RelayAccess } from '../../src/rights/authorizer.js';
import type { RelayCore } from '../../src/serve/relayCore.js';
import type { Scope } from '../../src/wire/frames.js';
import { advanceBy, FakeListerWatcher } from 'rx-informer/testing';
import { type CoreOptions, Link, objects, pageSource, relayCore } from '../link.js';

interface World {
  readonly scheduler: VirtualTimeScheduler;
  readonly server: FakeListerWatcher;
  readonly relay: (options?: Partial<CoreOptions>) => RelayCore;
  readonly follow: (link: Link, scope?: Scope) => SourceEvent<KubernetesObject>[];
}

function worldOf(): World {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler });
  for (const name of ['x', 'y']) server.add({ metadata: { namespace: 'a', name } });
  let seed = 0;
  return {
    ...{ scheduler, server },
    relay: (options) => {
      seed += 1;
      const collection = createInformer(server, { scheduler, random: () => 0.5, logger: { warn: () => undefined } });
      return relayCore({ scheduler, seed, sources: { objects: { collection, resource: objects } }, ...options });
    },
    follow: (link, scope = { kind: 'objects' }) => {
      const events: SourceEvent<KubernetesObject>[] = [];
      pageSource(link, scheduler, scope).subscribe((event) => events.push(event));
      return events;
    },
  };
}

const typesOf = (events: readonly SourceEvent<unknown>[]): string =>
  events
    .filter(({ type }) => type !== 'bookmark')
    .map((event) => (event.type === 'status' ? event.state : event.type))
    .join(' ');
const bodies = (link: Link) =>
  link.requests.map(
    (body) =>
      JSON.parse(body) as { readonly poll: boolean; readonly scopes: readonly { readonly token?: object; readonly namespace?: string }[] },
  );

describe('relaySource', () => {
  it('is whole for a subscriber that comes while another one gets a change', () => {
    const { scheduler, server, relay } = worldOf();
    const link = new Link(relay());
    const source = pageSource(link, scheduler, { kind: 'objects' });
    const later: Record<string, SourceEvent<KubernetesObject>[]> = {};
    source.subscribe(({ type }) => {
      if (later[type] !== undefined) return;
      const events: SourceEvent<KubernetesObject>[] = (later[type] = []);
      source.subscribe((event) => events.push(event));
    });
    advanceBy(scheduler, 1_000);
    expect(typesOf(later['init'] ?? [])).toBe('watching init page ready watching');
    server.delete('a/y');
    server.add({ metadata: { namespace: 'a', name: 'z' } });
    advanceBy(scheduler, 1_000);
    expect(typesOf(later['deleted'] ?? [])).toBe('watching init page ready');
  });

  it('is a list, and then its changes', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const events = follow(new Link(relay()));
    advanceBy(scheduler, 1_000);
    server.modify({ metadata: { namespace: 'a', name: 'x', labels: { app: 'web' } } });
    server.delete('a/y');
    server.add({ metadata: { namespace: 'a', name: 'z' } });
    advanceBy(scheduler, 1_000);
    expect(typesOf(events)).toBe('listing init page ready watching deleted modified added');
  });

  it('brings a batch of the relay as one change, and a right that is lost as another', () => {
    const { scheduler, server, relay } = worldOf();
    const [hints$, allowed] = [new Subject<() => boolean>(), new Set(['a', 'b'])];
    const authorizer = { changed$: hints$, review: (_: unknown, { namespace }: RelayAccess) => of(allowed.has(namespace)) };
    const page = createInformer<KubernetesObject>(pageSource(new Link(relay({ authorizer })), scheduler, { kind: 'objects' }));
    const changes: string[] = [];
    page.change$.subscribe(({ events }) =>
      changes.push([...events.map(({ type, key }) => `${type} ${key}`), ...page.indexer.listKeys().sort()].join(' ')),
    );
    advanceBy(scheduler, 1_000);
    server.add({ metadata: { namespace: 'b', name: 'z' } });
    server.modify({ metadata: { namespace: 'a', name: 'x', labels: { app: 'web' } } });
    server.delete('a/y');
    server.add({ metadata: { namespace: 'a', name: 'w' } });
    advanceBy(scheduler, 1_000);
    allowed.delete('a');
    hints$.next(() => true);
    advanceBy(scheduler, 1_000);
    expect(changes).toEqual([
      'added a/x added a/y a/x a/y',
      'deleted a/y added b/z updated a/x added a/w a/w a/x b/z',
      'deleted a/x deleted a/w b/z',
    ]);
  });

  it('ends a batch for whoever filters its last object out', () => {
    const { scheduler, server, relay } = worldOf();
    const source$ = pageSource(new Link(relay()), scheduler, { kind: 'objects' });
    const page = createInformer<KubernetesObject>(source$.pipe(filter((event) => !('key' in event) || event.key !== 'a/w')));
    const told: string[] = [];
    page.change$.subscribe(({ events }) => told.push(events.map(({ type, key }) => `${type} ${key}`).join(' ')));
    advanceBy(scheduler, 1_000);
    server.add({ metadata: { namespace: 'b', name: 'z' } });
    server.add({ metadata: { namespace: 'a', name: 'w' } });
    advanceBy(scheduler, 1_000);
    expect(told).toEqual(['added a/x added a/y', 'added b/z']);
  });

  it('has one stream for all scopes of a page, which is opened again with what it has when they change', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(relay());
    const first = [follow(link), follow(link, { kind: 'objects', namespace: 'a' }), follow(link)];
    advanceBy(scheduler, 1_000);
    expect([link.streams(), bodies(link).map(({ scopes }) => scopes.length)]).toEqual([1, [2]]);
    follow(link, { kind: 'objects', namespace: 'b' });
    advanceBy(scheduler, 1_000);
    expect([link.streams(), bodies(link).map(({ scopes }) => scopes.filter(({ token }) => token !== undefined).length)]).toEqual([
      1,
      [0, 2],
    ]);
    expect(first.map(typesOf)).toEqual(Array.from({ length: 3 }, () => 'listing init page ready watching'));
  });

  it('keeps a scope up to date while others change faster than the relay answers', () => {
    const { scheduler, server, relay } = worldOf();
    const link = new Link(relay());
    const far: Connect = (body) => timer(200, scheduler).pipe(switchMap(() => link.connect(body)));
    let count = 0;
    relaySourceOver(far, { url: '/', scheduler }, { kind: 'objects' }).subscribe(({ type }) => (count += type === 'added' ? 1 : 0));
    advanceBy(scheduler, 1_000);
    for (let at = 0; at < 100; at += 1) {
      if (at % 10 === 0) server.add({ metadata: { namespace: 'a', name: `z-${at}` } });
      const scope = { kind: 'objects', labelSelector: `app!=a${at}` };
      const chosen = relaySourceOver(far, { url: '/', scheduler }, scope).subscribe();
      advanceBy(scheduler, 50);
      if (at < 99) chosen.unsubscribe();
    }
    expect(count).toBeGreaterThanOrEqual(8);
    expect(link.requests.length).toBeLessThan(40);
    advanceBy(scheduler, 2_000);
    expect([count, bodies(link).at(-1)?.scopes.length, link.streams()]).toEqual([10, 2, 1]);
  });

  it('does not ask a relay that is away more often because its scopes change', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(undefined);
    for (let at = 0; at < 100; at += 1) {
      follow(link, { kind: 'objects', namespace: `n-${at}` });
      advanceBy(scheduler, 50);
    }
    expect(link.requests.length).toBeLessThan(5);
    link.core = relay({ limits: { scopesPerStream: 200 } });
    advanceBy(scheduler, 10_000);
    expect(bodies(link).at(-1)?.scopes.length).toBe(100);
  });

  it('goes on at another replica from where it was, without a list', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const [one, other] = [relay(), relay()];
    const keep = new Link(other);
    follow(keep);
    const link = new Link(one);
    const events = follow(link);
    advanceBy(scheduler, 1_000);
    one.stop();
    link.core = other;
    server.add({ metadata: { namespace: 'a', name: 'while-away' } });
    advanceBy(scheduler, 5_000);
    expect(typesOf(events)).toBe('listing init page ready watching added');
    expect(link.texts.join('').match(/"reset"/g)).toHaveLength(1);
  });

  it('waits for a replica that is behind, keeps what it has, and takes what there is after a minute', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const link = new Link(relay());
    const events = follow(link);
    advanceBy(scheduler, 1_000);
    server.add({ metadata: { namespace: 'a', name: 'z' } });
    advanceBy(scheduler, 1_000);
    const restored = new FakeListerWatcher({ scheduler });
    const collection = createInformer(restored, { scheduler, logger: { warn: () => undefined } });
    link.core = relayCore({ scheduler, seed: 9, sources: { objects: { collection, resource: objects } } });
    link.cut();
    advanceBy(scheduler, 30_000);
    expect(events.at(-1)).toMatchObject({ state: 'retrying', error: { cause: { code: 503, reason: 'Behind' } } });
    expect(typesOf(events)).not.toContain('deleted');
    advanceBy(scheduler, 60_000);
    expect(typesOf(events).split(' ').slice(-3)).toEqual(['init', 'ready', 'watching']);
  });

  it('polls after three short streams, and gets every change by it', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const link = new Link(relay());
    const events = follow(link);
    for (let at = 0; at < 3; at += 1) {
      advanceBy(scheduler, 5_000);
      link.cut();
    }
    advanceBy(scheduler, 10_000);
    expect(bodies(link).map(({ poll }) => poll)).toEqual([false, false, false, true]);
    server.add({ metadata: { namespace: 'a', name: 'z' } });
    advanceBy(scheduler, 1_000);
    expect(typesOf(events)).toContain('added');
    // A quiet poll is held for 25 s: three in a minute, and one for the change.
    const before = link.requests.length;
    advanceBy(scheduler, 100_000);
    expect(link.requests.length - before).toBe(4);
    advanceBy(scheduler, 600_000);
    expect(bodies(link).at(-1)?.poll).toBe(false);
  });

  it('polls behind a proxy that holds streams back', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(relay());
    link.buffers = true;
    const events = follow(link);
    advanceBy(scheduler, 120_000);
    expect(
      bodies(link)
        .slice(0, 4)
        .map(({ poll }) => poll),
    ).toEqual([false, false, false, true]);
    expect(typesOf(events)).toContain('ready');
  });

  it('streams as before from a relay that was away', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(relay());
    const events = follow(link);
    advanceBy(scheduler, 40_000);
    link.core = undefined;
    link.cut();
    advanceBy(scheduler, 60_000);
    link.core = relay();
    advanceBy(scheduler, 60_000);
    expect([link.requests.length > 5, bodies(link).some(({ poll }) => poll)]).toEqual([true, false]);
    expect(events.at(-1)).toMatchObject({ type: 'bookmark' });
  });

  it('waits as long as a refusal says, and half a minute at most', () => {
    const waits = [1, 5, 20, 3_600].map((seconds) => {
      const scheduler = new VirtualTimeScheduler();
      const refusal = new ApiError({ code: 429, message: '', retryAfterMs: seconds * 1_000, status: { reason: 'TooManyRequests' } });
      const asked: number[] = [];
      const busy: Connect = () => {
        asked.push(scheduler.now());
        return throwError(() => refusal);
      };
      relaySourceOver(busy, { url: '/', scheduler, random: () => 0 }, { kind: 'objects' }).subscribe();
      advanceBy(scheduler, 61_000);
      return asked.slice(0, 3);
    });
    expect(waits).toEqual([
      [0, 1_000, 2_600],
      [0, 5_000, 10_000],
      [0, 20_000, 40_000],
      [0, 30_000, 60_000],
    ]);
  });

  it('tells offline, forbidden, and the trouble of the relay apart', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const link = new Link(undefined);
    const events = follow(link);
    advanceBy(scheduler, 100);
    expect(events.at(-1)).toMatchObject({ state: 'retrying', error: { code: 'ERR_WATCH', message: 'objects: refused' }, attempt: 1 });
    link.core = relay();
    advanceBy(scheduler, 5_000);
    expect(events.at(-1)).toMatchObject({ type: 'status', state: 'watching' });
    server.failNext('watch', new Error('no route to 10.0.0.1'));
    server.close();
    advanceBy(scheduler, 1);
    const { error } = events.at(-1) as Extract<SourceEvent<unknown>, { type: 'status' }>;
    expect([error?.message, isForbidden(error)]).toEqual([expect.stringContaining('objects: the relay says: ERR_'), false]);
    expect(error?.message).not.toContain('10.0.0.1');
  });

  it('finds drift by count and checksum, says so, and gets the scope anew', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const link = new Link(relay());
    const events = follow(link);
    advanceBy(scheduler, 1_000);
    // A row that is lost on its way, as a fault of either end would have it.
    link.alter = (text) => (text.includes('"set"') ? '' : text);
    server.add({ metadata: { namespace: 'a', name: 'z' } });
    advanceBy(scheduler, 1_000);
    link.alter = (text) => text;
    expect(typesOf(events)).toBe('listing init page ready watching');
    advanceBy(scheduler, 11_000);
    const drift = events.filter((event) => event.type === 'status' && event.error?.code === 'ERR_DRIFT');
    expect([drift.length, bodies(link).map(({ scopes }) => scopes[0]?.token === undefined)]).toEqual([1, [true, true]]);
    const page = events.filter((event) => event.type === 'page').at(-1);
    expect(page?.type === 'page' && page.keys).toEqual(['a/x', 'a/y', 'a/z']);
    expect(link.core?.figures().drifts).toBe(1);
    // It is counted once, however often the page comes back.
    link.cut();
    advanceBy(scheduler, 11_000);
    expect(link.core?.figures().drifts).toBe(1);
  });

  it('waits longer each time while the content differs again at once', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(relay());
    const other = 'data: {"open":["c"]}\n\ndata: {"c":"c","g":"a","patch":[["a/x",1,[]]]}\n\n';
    let altered = 0;
    link.alter = (text) => ((altered += 1) > 50 ? text : other);
    const events = follow(link);
    advanceBy(scheduler, 10_000);
    expect(bodies(link).length).toBeLessThan(7);
    link.alter = (text) => text;
    advanceBy(scheduler, 30_000);
    expect(typesOf(events)).toMatch(/init page ready watching$/);
  });

  it.each(['<html>', 'null', '{"open":5}', '{"beat":null}', '{"c":"c","g":"a","set":[null]}'])(
    'takes an answer that has no frames for a failure, and comes back: %s',
    (frame) => {
      const { scheduler, relay, follow } = worldOf();
      const link = new Link(relay());
      link.alter = () => `data: {"open":["c"]}\n\ndata: ${frame}\n\n`;
      const events = follow(link);
      advanceBy(scheduler, 1_000);
      const failed = events.find((event) => event.type === 'status' && event.state === 'retrying');
      expect(failed).toMatchObject({ error: { code: 'ERR_WATCH', message: 'objects: The relay sent something else than frames' } });
      link.alter = (text) => text;
      advanceBy(scheduler, 20_000);
      expect(typesOf(events)).toMatch(/init page ready watching$/);
    },
  );

  it('follows one object by its name, whole beside a list of some fields', () => {
    const { scheduler, server, relay, follow } = worldOf();
    server.add({ metadata: { namespace: 'b', name: 'x' } });
    const link = new Link(relay());
    const events = follow(link, { kind: 'objects', namespace: 'a', name: 'x', fields: 'all' });
    advanceBy(scheduler, 1_000);
    server.modify({ metadata: { namespace: 'a', name: 'y' } });
    server.modify({ metadata: { namespace: 'a', name: 'x', labels: { app: 'web' } } });
    server.delete('b/x');
    advanceBy(scheduler, 1_000);
    server.delete('a/x');
    advanceBy(scheduler, 1_000);
    const said = events.filter((event) => event.type !== 'status' && event.type !== 'bookmark');
    expect(said.map((event) => event.type)).toEqual(['init', 'page', 'ready', 'modified', 'deleted']);
    expect(said[1]).toMatchObject({ keys: ['a/x'] });
  });

  it('begins a large collection in slices, and shows it as one moment, with what changed meanwhile', () => {
    const { scheduler, server, relay, follow } = worldOf();
    for (let at = 0; at < 1_000; at += 1) server.add({ metadata: { namespace: 'b', name: `n${at}` } });
    const link = new Link(relay());
    const events = follow(link);
    // The first slices are processed; the informer continues meanwhile.
    scheduler.schedule(() => server.delete('b/n0'), 0);
    scheduler.schedule(() => server.add({ metadata: { namespace: 'c', name: 'late' } }), 0);
    advanceBy(scheduler, 1_000);
    const page = events.filter((event) => event.type === 'page').at(-1);
    const keys = new Set(page?.type === 'page' ? page.keys : []);
    expect([keys.size, keys.has('b/n0'), keys.has('c/late'), typesOf(events)]).toEqual([
      ...[1_002, false, true],
      'listing init page ready watching',
    ]);
    expect(link.texts.join('').match(/"reset"/g)).toHaveLength(1);
  });

  it('goes on with fresh credentials when the old ones end, without a list and without a word', () => {
    const { scheduler, server, relay, follow } = worldOf();
    // Dates in messages for users are those of the wall clock, which is at the beginning of 1970 here.
    const authenticate = () => of({ name: 'ada', expiresAt: scheduler.now() + 60_000 });
    const link = new Link(relay({ authenticate }));
    const events = follow(link);
    for (const name of ['one', 'two', 'three']) {
      advanceBy(scheduler, 70_000);
      server.add({ metadata: { namespace: 'a', name } });
    }
    advanceBy(scheduler, 1_000);
    expect(typesOf(events)).toBe('listing init page ready watching added added added');
    expect([link.requests.length, link.texts.join('').match(/"reset"/g)?.length]).toEqual([4, 1]);
  });

  it('is refused with credentials that have ended, and asks again later', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(relay({ authenticate: () => of({ name: 'ada', expiresAt: scheduler.now() - 1 }) }));
    const events = follow(link);
    advanceBy(scheduler, 10_000);
    expect(link.requests.length).toBeLessThan(6);
    expect(events.at(-1)).toMatchObject({ state: 'retrying', error: { code: 'ERR_AUTH' } });
  });

  it('gives a late subscriber of the same scope what there is', () => {
    const { scheduler, relay, follow } = worldOf();
    const link = new Link(relay());
    follow(link);
    advanceBy(scheduler, 1_000);
    expect(typesOf(follow(link))).toBe('watching init page ready');
    expect(link.requests).toHaveLength(1);
  });

  it('catches a page up that has stalled for an hour by one step, without a queue', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const [slow, quick] = [new Link(relay()), new Link(undefined)];
    quick.core = slow.core;
    const [events, others] = [follow(slow), follow(quick)];
    advanceBy(scheduler, 1_000);
    slow.window = 1;
    slow.drain();
    for (let at = 0; at < 360; at += 1) {
      server.modify({ metadata: { namespace: 'a', name: 'x', labels: { at: String(at) } } });
      advanceBy(scheduler, 10_000);
    }
    const before = slow.texts.length;
    expect(others.filter(({ type }) => type === 'modified')).toHaveLength(360);
    slow.window = Infinity;
    slow.drain();
    advanceBy(scheduler, 1_000);
    expect(slow.texts.length - before).toBeLessThan(12);
    expect(events.filter(({ type }) => type === 'modified').at(-1)).toMatchObject({ object: { metadata: { labels: { at: '359' } } } });
  });

  it('follows the first objects of an order; what leaves it has moved', () => {
    const { scheduler, server, relay, follow } = worldOf();
    const events = follow(new Link(relay()), { kind: 'objects', window: { orderBy: 'metadata.name', limit: 2 } });
    advanceBy(scheduler, 1_000);
    server.add({ metadata: { namespace: 'a', name: 'b' } });
    advanceBy(scheduler, 1_000);
    expect(typesOf(events)).toBe('listing init page ready watching deleted added');
    expect(events.find(({ type }) => type === 'deleted')).toMatchObject({ key: 'a/y', reason: 'moved' });
  });

  it('goes on when `onTotal` throws, and leaves out frames that it does not know, as those of a later release', async () => {
    const { scheduler, server, relay } = worldOf();
    const link = new Link(relay());
    link.alter = (text) => text.replace(/"total":\d+\}\n\n/, (total) => `${total}data: {"c":"c1","hint":1}\n\ndata: {"hint":1}\n\n`);
    const unhandled: string[] = [];
    config.onUnhandledError = (error: Error) => unhandled.push(error.message);
    const failing = (total: number): never => {
      throw new Error(`no room for ${total}`);
    };
    const events: SourceEvent<KubernetesObject>[] = [];
    const scope = { kind: 'objects', window: { orderBy: 'metadata.name', limit: 2 } };
    relaySourceOver<KubernetesObject>(link.connect, { url: '/', scheduler, random: () => 0.5 }, scope, failing).subscribe((event) =>
      events.push(event),
    );
    advanceBy(scheduler, 1_000);
    server.add({ metadata: { namespace: 'a', name: 'b' } });
    advanceBy(scheduler, 1_000);
    expect([typesOf(events), link.requests.length]).toEqual(['listing init page ready watching deleted added', 1]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    config.onUnhandledError = null;
    expect(unhandled).toEqual(['no room for 2', 'no room for 3']);
  });

  it('ends the body that it reads when its last subscriber leaves, whatever has become of the signal', async () => {
    const events: string[] = [];
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(': hello\n\n')),
      pull: () => void events.push('read'),
      cancel: () => void events.push('cancelled'),
    });
    const deaf = (): Promise<Response> => Promise.resolve(new Response(body, { status: 200 }));
    const following = relaySource('http://relay.example/', { kind: 'objects', fetch: deaf }).subscribe();
    while (!events.includes('read')) await new Promise((resolve) => setImmediate(resolve));
    following.unsubscribe();
    expect(events.at(-1)).toBe('cancelled');
  });

  it('asks no more when its last subscriber leaves as soon as a failure is told', () => {
    const scheduler = new VirtualTimeScheduler();
    const link = new Link(undefined);
    const failed$ = pageSource(link, scheduler, { kind: 'objects' }).pipe(
      first((event) => event.type === 'status' && event.state === 'retrying'),
    );
    const seen: string[] = [];
    failed$.subscribe(({ type }) => seen.push(type));
    advanceBy(scheduler, 600_000);
    expect([seen, link.requests.length, scheduler.actions]).toEqual([['status'], 1, []]);
  });

  it('says so when a page answers instead of a relay', async () => {
    const page = (): Promise<Response> => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }));
    const retrying$ = relaySource('http://relay.example/', { kind: 'objects', fetch: page }).pipe(
      filter((event) => event.type === 'status' && event.state === 'retrying'),
    );
    expect(await firstValueFrom(retrying$, { defaultValue: undefined })).toMatchObject({
      error: { message: 'objects: http://relay.example/ answered with a page (text/html): expected the URL of a relay' },
    });
  });

  it('says so when it is redirected, as by a proxy whose login has expired', async () => {
    const redirected = (): Promise<Response> => Promise.resolve(new Response(null, { status: 302, headers: { location: '/login' } }));
    const source = relaySource<KubernetesObject>('/relay', { kind: 'pods', fetch: redirected });
    const retrying$ = source.pipe(filter((event) => event.type === 'status' && event.state === 'retrying'));
    expect(await firstValueFrom(retrying$, { defaultValue: undefined })).toMatchObject({
      error: { message: 'pods: /relay was redirected, as to a login: expected the URL of a relay' },
    });
  });

  it('ends the body of an answer that comes when nobody waits for it any more', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
    const asked: ((answer: Response) => void)[] = [];
    const deaf = (): Promise<Response> => new Promise((resolve) => asked.push(resolve));
    const following = relaySource('http://relay.example/', { kind: 'objects', fetch: deaf }).subscribe();
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    following.unsubscribe();
    asked[0]?.(new Response(body, { status: 200 }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isCancelled).toBe(true);
  });

  it('refuses options that are wrong', () => {
    const make = (options: object) => () => relaySource('/relay', options);
    expect(make({})).toThrow('Expected either `kind` or `view`');
    expect(make({ kind: 'pods', view: 'rows' })).toThrow('Expected either `kind` or `view`');
    expect(make({ view: 'rows', name: 'a' })).toThrow('filter it in the page');
    expect(make({ view: 'rows', namespace: 'a', window: { orderBy: 'a', limit: 1 } })).toThrow('the `window` of a `view`');
    expect(make({ kind: 'pods', name: 'a', labelSelector: 'app=web' })).toThrow('with a `name`');
    expect(make({ kind: 'pods', labelSelector: '' })).toThrow('`labelSelector`');
    expect(make({ kind: 'pods', feilds: 'all' })).toThrow('did you mean `fields`?');
    expect(make({ kind: 'pods', fields: 'some' })).toThrow("'metadata', 'all' or a list of paths");
    expect(make({ kind: 'pods', window: { orderBy: 'a' } })).toThrow('limit');
    expect(() => relaySource('', { kind: 'pods' })).toThrow('Expected `url`');
  });
});
