import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { filter, firstValueFrom, map, of, ReplaySubject, Subject } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { relaySource } from '../src/client/relaySource.js';
import { createRelay, type Relay, type RelayOptions } from '../src/serve/createRelay.js';
import { protocolVersion, relayHeader } from '../src/wire/frames.js';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { FakeListerWatcher, pod } from 'rx-informer/testing';

const { pods } = resources.core.v1;

interface Place {
  /** Another relay takes over. */
  relay: Relay;
  readonly make: () => Relay;
  readonly cache: FakeCollection<KubernetesObject>;
  readonly port: number;
  readonly reviews: string[];
  /** Emits the number of streams whenever one has been opened or closed. */
  readonly streams: () => Promise<number>;
}

const closing: (() => void)[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

async function placeOf(options: Partial<RelayOptions> = {}, objects: KubernetesObject[] = [pod('a'), pod('b')]): Promise<Place> {
  const cache = fakeCollection<KubernetesObject>(objects, { name: 'pods' });
  const reviews: string[] = [];
  const audited$ = new Subject<string>();
  const make = (): Relay => {
    const relay = createRelay({
      sources: { pods: { collection: cache, resource: pods } },
      authenticate: ({ headers }) => ({ name: headers.get('x-user') ?? 'ada' }),
      authorize: {
        review: ({ name }, { namespace }) => {
          reviews.push(`${name} ${namespace}`);
          return of(true);
        },
      },
      audit: ({ type }) => audited$.next(type),
      ...options,
    });
    closing.push(() => relay.stop());
    return relay;
  };
  const server: Server = createServer((request, response) => place.relay.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const place: Place = {
    ...{ relay: make(), make, cache, reviews, port: (server.address() as AddressInfo).port },
    streams: () =>
      firstValueFrom(
        audited$.pipe(
          filter((type) => type === 'opened' || type === 'closed'),
          map(() => place.relay.figures().streams),
        ),
        {
          defaultValue: -1,
        },
      ),
  };
  return place;
}

const asking = (scopes: readonly unknown[]): string => JSON.stringify({ version: protocolVersion, scopes });
const podsAgain = asking([{ kind: 'pods' }]);

function textOf(body: string, { version = '1.1', path = '/', headers = '' } = {}): string {
  const length = Buffer.byteLength(body);
  return `POST ${path} HTTP/${version}\r\nHost: localhost\r\n${relayHeader}: 1\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`;
}

interface Raw {
  readonly socket: Socket;
  /** What has come when it contains this. */
  readonly until: (part: string | RegExp) => Promise<string>;
  readonly ended: Promise<unknown>;
}

function raw({ port }: Place, text = ''): Raw {
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let came = '';
  socket.setEncoding('utf8').on('data', (part: string) => (came += part));
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  if (text !== '') socket.write(text);
  const until = async (part: string | RegExp): Promise<string> => {
    const isThere = (): boolean => (typeof part === 'string' ? came.includes(part) : part.test(came));
    while (!isThere()) {
      const isOver = await Promise.race([once(socket, 'data').then(() => false), ended.then(() => true)]);
      if (isOver && !isThere()) throw new Error(`Closed, without ${String(part)}: ${came}`);
    }
    return came;
  };
  return { socket, until, ended };
}

/** The status and the answer to a request that is refused. */
async function refusal(place: Place, text: string): Promise<string> {
  const { until, socket } = raw(place, text);
  const came = await until('"message"').catch(() => until('HTTP/1.1'));
  socket.destroy();
  return came;
}

describe('a relay behind real sockets', () => {
  it('serves a client that speaks HTTP/1.0, without chunks', async () => {
    const place = await placeOf();
    const { until } = raw(place, textOf(podsAgain, { version: '1.0' }));
    const came = await until('"log"');
    expect(came).toContain('["default/a",');
    expect(came.toLowerCase()).not.toContain('transfer-encoding');
    place.cache.put(pod('c'));
    expect(await until('default/c')).not.toMatch(/^[\da-f]+\r$/m);
  });

  it('forgets a page that has closed its half of the connection', async () => {
    const place = await placeOf();
    const { until, socket, ended } = raw(place, textOf(podsAgain));
    await until('"log"');
    expect(place.relay.figures().streams).toBe(1);
    const left = place.streams();
    socket.end();
    expect(await left).toBe(0);
    await ended;
  });

  it('streams that wait behind another one of their connection close with it', async () => {
    const place = await placeOf();
    const { until, socket } = raw(place, textOf(podsAgain).repeat(15));
    await until('"at":');
    while (place.relay.figures().streams < 15) await place.streams();
    socket.destroy();
    while (place.relay.figures().streams > 0) await place.streams();
    expect(place.relay.figures().streams).toBe(0);
  });

  it('answers a request that comes byte by byte, and keeps nothing for one that has not come', async () => {
    const place = await placeOf();
    const { until, socket } = raw(place);
    const text = textOf(podsAgain);
    await once(socket, 'connect');
    socket.setNoDelay(true);
    for (const byte of text.slice(0, -1)) await new Promise<void>((resolve) => socket.write(byte, () => resolve()));
    expect(place.relay.figures()).toMatchObject({ streams: 0, scopes: 0, rights: 0 });
    socket.write(text.slice(-1));
    expect(await until('"log"')).toContain('["default/a",');
  });

  it('a body that is too long is refused in words', async () => {
    const place = await placeOf();
    expect(await refusal(place, textOf(' '.repeat(400_000)))).toMatch(/413 .*"reason":"TooLarge"/s);
    expect(place.relay.figures()).toMatchObject({ streams: 0, scopes: 0 });
  });

  it('a body that is too long is refused in words, also where the answer leaves late, and its connection ends', async () => {
    const place = await placeOf();
    const { relay } = place;
    place.relay = {
      ...relay,
      handle: (request, response) => {
        const end = response.end.bind(response) as (text: string) => typeof response;
        response.end = ((text: string) => (setImmediate(() => end(text)), response)) as never;
        relay.handle(request, response);
      },
    };
    const { until, ended } = raw(place, textOf(' '.repeat(400_000)));
    expect(await until('"message"')).toMatch(/413 .*connection: close.*"reason":"TooLarge"/is);
    await ended.catch(() => undefined);
  });

  it.each([
    ['a URL', { path: `/${'x'.repeat(100_000)}` }],
    ['a header', { headers: `x-user: ${'x'.repeat(100_000)}\r\n` }],
  ])('%s that is too long reaches nobody', async (_, more) => {
    const place = await placeOf();
    expect(await refusal(place, textOf(podsAgain, more))).toContain('HTTP/1.1 431');
    expect(place.reviews).toEqual([]);
  });

  it('long URLs and headers that a server lets pass change nothing', async () => {
    const place = await placeOf();
    const headers = `accept-encoding: ${'gzip;q=0.'.padEnd(6_000, '0')}\r\ncookie: ${'a=b; '.repeat(1_000)}\r\n`;
    const { until } = raw(place, textOf(podsAgain, { path: `/?${'x'.repeat(2_000)}`, headers }));
    expect(await until('default/a')).toContain('HTTP/1.1 200');
  });

  it('credentials that have ended by the wall clock are good for nothing, however the clock came there', async () => {
    const start = Date.now();
    const place = await placeOf({ authenticate: () => ({ name: 'ada', expiresAt: start + 3_600_000 }) });
    const { until, ended } = raw(place, textOf(podsAgain));
    await until('"log"');
    const clock = jest.spyOn(Date, 'now');
    // Set back, it changes nothing.
    clock.mockReturnValue(start - 86_400_000);
    place.cache.put(pod('c'));
    await until('default/c');
    clock.mockReturnValue(start + 3_600_001);
    place.cache.put(pod('d'));
    expect(await until('"bye":"expired"')).not.toContain('default/d');
    expect(place.relay.figures().streams).toBe(0);
    void ended;
  });

  it('500 pages that come at once: each right is asked for once, and the limit holds', async () => {
    const place = await placeOf({ limits: { streams: 450, streamsPerUser: 9 } });
    const pages = Array.from({ length: 500 }, (_, at) => raw(place, textOf(podsAgain, { headers: `x-user: u${at % 50}\r\n` })));
    const came = await Promise.all(pages.map(({ until }) => until(/"log"|"message"/)));
    expect(came.filter((text) => text.includes('HTTP/1.1 200'))).toHaveLength(450);
    const refused = came.filter((text) => !text.includes('HTTP/1.1 200'));
    expect(refused).toHaveLength(50);
    for (const text of refused) expect(text).toMatch(/HTTP\/1\.1 429 .*retry-after: 5\r\n.*Too many streams are open/s);
    expect([place.reviews.length, new Set(place.reviews).size]).toEqual([50, 50]);
    expect(place.relay.figures()).toMatchObject({ streams: 450, scopes: 1, rights: 50 });
  });

  it('thousands of scopes are refused in words, and those that nobody follows any more make room', async () => {
    const place = await placeOf({ limits: { scopes: 60 } });
    const scopes = (count: number, from = 0): readonly object[] =>
      Array.from({ length: count }, (_, at) => ({ kind: 'pods', labelSelector: `app=x${from + at}` }));
    expect(await refusal(place, textOf(asking(scopes(3_000))))).toMatch(/400 .*Expected 1 to 50 `scopes`/s);
    const first = raw(place, textOf(asking(scopes(50))));
    await first.until('"c50","at"');
    expect(await refusal(place, textOf(asking(scopes(50, 50))))).toMatch(/429 .*Too many different scopes are followed/s);
    // A page that follows scopes that are followed already takes no additional capacity.
    const same = raw(place, textOf(asking(scopes(50))));
    await same.until('"c50","at"');
    const left = place.streams().then(() => place.streams());
    first.socket.destroy();
    same.socket.destroy();
    expect(await left).toBe(0);
    await raw(place, textOf(asking(scopes(50, 50)))).until('"c100","at"');
    expect(place.relay.figures().scopes).toBe(60);
    // Nor does a request that is refused in spite of that cost anybody a log.
    expect(await refusal(place, textOf(asking(scopes(50, 100))))).toContain('HTTP/1.1 429');
    expect(place.relay.figures().scopes).toBe(60);
  });

  it('resume tokens that are garbage bring a fresh start, and those of a time to come a refusal that lets go of everything', async () => {
    const place = await placeOf();
    const good = { log: 'x', at: 1, version: '1', rights: 'x', count: 2, sum: 3 };
    const garbage = [
      ...[7, 'x', [], [good], {}, { ...good, at: -1 }, { ...good, at: 1.5 }, { ...good, at: 1e300 }, { ...good, count: 'NaN' }],
      ...[
        { ...good, version: 'garbage' },
        { ...good, version: ','.repeat(100_000) },
        { ...good, rights: 'x'.repeat(1_000) },
      ],
      ...[{ ...good, version: '-1' }, { ...good, log: '__proto__' }, JSON.parse('{"__proto__": {"at": 5}}') as object],
    ];
    for (const token of garbage) {
      const { until, socket } = raw(place, textOf(asking([{ kind: 'pods', token }])));
      const came = await until('"log"');
      expect(came).toMatch(/"reset":true.*default\/a/s);
      socket.destroy();
    }
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await refusal(place, textOf(deep))).toContain('HTTP/1.1 400');
  });

  it('a resume token of a time to come is refused, and lets go of everything', async () => {
    const server = new FakeListerWatcher();
    server.add({ metadata: { namespace: 'default', name: 'a' } });
    const informer = createInformer(server);
    const asked$ = new ReplaySubject<undefined>(1);
    const place = await placeOf({
      sources: { pods: { collection: informer, resource: pods } },
      limits: { streamsPerUser: 1 },
      authenticate: () => {
        asked$.next(undefined);
        return { name: 'ada' };
      },
    });
    const token = { log: 'x', at: 1, version: '9'.repeat(40), rights: 'x', count: 2, sum: 3 };
    const waiting = refusal(place, textOf(asking([{ kind: 'pods', token }])));
    // While it waits, it counts towards the limits.
    await firstValueFrom(asked$, { defaultValue: undefined });
    expect(await refusal(place, textOf(podsAgain))).toMatch(/429 /);
    expect(await waiting).toMatch(/503 .*retry-after: 1\r\n.*"Behind"/s);
    await raw(place, textOf(podsAgain)).until('default/a');
    await informer.stop();
  });

  it('pages that leave in the middle of a batch are no concern of the others', async () => {
    const place = await placeOf();
    const pages = Array.from({ length: 120 }, () => raw(place, textOf(podsAgain, { headers: `x-user: u${Math.random()}\r\n` })));
    await Promise.all(pages.map(({ until }) => until('"log"')));
    place.cache.put(pod('c', { metadata: { annotations: { long: 'x'.repeat(200_000) } } }));
    // The first have got it, the others wait for their turn.
    await pages[0]?.until('default/c');
    for (const { socket } of pages.slice(0, 110)) socket.resetAndDestroy();
    await Promise.all(pages.slice(110).map(({ until }) => until('default/c')));
    place.cache.put(pod('d'));
    await Promise.all(pages.slice(110).map(({ until }) => until('default/d')));
    while (place.relay.figures().streams > 10) await place.streams();
    expect(place.relay.figures().streams).toBe(10);
  });

  it('two replicas that restart one after the other lose nothing, and nothing is listed anew that has not changed', async () => {
    const place = await placeOf();
    const source = relaySource<KubernetesObject>(`http://127.0.0.1:${place.port}/`, { kind: 'pods', random: () => 0 });
    const informer = createInformer(source, { resource: 'pods' });
    await informer.whenSynced();
    const causes: string[] = [];
    const following = informer.change$.subscribe(({ cause, events }) => events.length > 0 && causes.push(cause));
    for (let step = 0; step < 4; step += 1) {
      const before = place.relay;
      place.relay = place.make();
      before.stop();
      place.cache.put(pod(`n${step}`));
      place.cache.remove(step === 0 ? 'default/a' : `default/n${step - 1}`);
      await firstValueFrom(informer.index$.pipe(filter((index) => index.has(`default/n${step}`))), { defaultValue: undefined });
      expect(informer.indexer.listKeys().sort()).toEqual(['default/b', `default/n${step}`]);
      expect(place.relay.figures()).toMatchObject({ streams: 1, drifts: 0 });
    }
    following.unsubscribe();
    await informer.stop();
    expect(causes[0]).toBe('snapshot');
  });
});
