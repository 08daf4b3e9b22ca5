import { afterEach, describe, expect, it, jest } from '@jest/globals';
import net from 'node:net';
import zlib from 'node:zlib';
import type { Observable } from 'rxjs';
import type { CredentialSource, Credentials } from '../../../src/client/auth/credentials.js';
import { nodeTransport, type NodeTransportInit } from '../../../src/client/node/nodeTransport.js';
import { RequestError } from '../../../src/client/requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../../../src/client/requests/transport.js';
import { collect } from '../collect.js';
import { requesting, type RequestingTransport } from '../requesting.js';
import { listen } from '../listen.js';
import { sendJson, startServer, until, type Handler, type SpecServer } from '../startServer.js';
import { certificates, userOf } from './certificates.js';

const get: TransportRequest = { method: 'GET', path: '/api/v1/pods?limit=5' };
const anonymous: CredentialSource = { get: () => Promise.resolve({ headers: {}, tls: {} }) };
const pki = certificates();

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(handler: Handler, tls?: Parameters<typeof startServer>[1]): Promise<SpecServer> {
  const server = await startServer(handler, tls);
  cleanups.push(() => server.close());
  return server;
}

function transportTo(server: { readonly url: string }, init: Partial<NodeTransportInit> = {}): RequestingTransport {
  const transport = requesting(nodeTransport({ server: server.url, credentials: anonymous, ...init }));
  cleanups.push(() => transport.close());
  return transport;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

async function answer(exchange: Observable<TransportEvent>): Promise<Answer> {
  const [head, ...rest] = await collect(exchange);
  if (head?.type !== 'head') throw new Error('Expected the head first');
  const text = Buffer.concat(rest.map((event) => (event.type === 'data' ? event.chunk : Buffer.alloc(0)))).toString('utf8');
  return { status: head.status, headers: head.headers, text };
}

const failureOf = (exchange: Observable<TransportEvent>): Promise<RequestError> =>
  answer(exchange).then(
    () => Promise.reject(new Error('Expected a failure')),
    (error: unknown) => error as RequestError,
  );

const ok: Handler = (_, response) => sendJson(response, { ok: true });

describe('nodeTransport', () => {
  it('sends method, path, headers and body, and gives status, headers and bytes', async () => {
    const server = await serve((_, response) => response.writeHead(409, { 'x-a': ['1', '2'] }).end('é'));
    const request: TransportRequest = {
      method: 'PUT',
      path: '/a?b=c%20d',
      headers: { 'content-type': 'application/json' },
      body: '{"a":"é"}',
    };
    await expect(answer(transportTo(server).request(request))).resolves.toMatchObject({
      status: 409,
      headers: { 'x-a': '1, 2' },
      text: 'é',
    });
    expect(server.requests).toMatchObject([
      { method: 'PUT', url: '/a?b=c%20d', body: '{"a":"é"}', headers: { 'content-type': 'application/json' } },
    ]);
  });

  it('asks before each sending, also with new credentials, and sends nothing that is refused', async () => {
    const server = await serve((_, response) => sendJson(response, {}, server.requests.length === 1 ? 401 : 200));
    const asked: number[] = [];
    const transport = transportTo(server, { credentials: { ...anonymous, renew: () => undefined } });
    const late = new Error('too late');
    const beforeSend = (): void => {
      asked.push(server.requests.length);
      if (asked.length > 1) throw late;
    };
    // The first is sent, refused by the server, and asked about again.
    expect(await failureOf(transport.request({ ...get, beforeSend }))).toBe(late);
    expect(asked).toEqual([0, 1]);
    // Over a connection that is kept, too.
    expect(await failureOf(transport.request({ ...get, beforeSend }))).toBe(late);
    expect(server.requests).toHaveLength(1);
  });

  it('asks when it has connected, and not before', async () => {
    const asked: string[] = [];
    const transport = transportTo({ url: 'http://127.0.0.1:1' });
    const beforeSend = (): number => asked.push('asked');
    expect(await failureOf(transport.request({ ...get, beforeSend }))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(asked).toEqual([]);
  });

  it('sends the body of a DELETE in a way that a server understands', async () => {
    const server = await serve(ok);
    const transport = transportTo(server);
    for (const body of ['{"a":1}', '{}']) await answer(transport.request({ method: 'DELETE', path: '/a', body }));
    expect(server.requests.map(({ method, headers, body }) => [method, headers['content-length'], body])).toEqual([
      ['DELETE', '7', '{"a":1}'],
      ['DELETE', '2', '{}'],
    ]);
  });

  it('is cold: every subscription is a request of its own', async () => {
    const server = await serve(ok);
    const exchange = transportTo(server).request(get);
    expect(server.requests).toHaveLength(0);
    await answer(exchange);
    await answer(exchange);
    expect(server.requests).toHaveLength(2);
  });

  it('uses one connection for one request after the other', async () => {
    const server = await serve(ok);
    const transport = transportTo(server);
    for (let turn = 0; turn < 5; turn += 1) await answer(transport.request(get));
    expect(server.connections).toBe(1);
  });

  it('closes a connection that nobody uses after a while, and none that is silent', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/silent') response.writeHead(200).flushHeaders();
      else sendJson(response, {});
    });
    const transport = transportTo(server, { idleTimeoutMs: 30 });
    const { values: events, subscription, errors } = listen(transport.request({ method: 'GET', path: '/silent' }));
    await until(() => events.length === 1);
    await answer(transport.request(get));
    await until(() => server.openConnections() === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([server.openConnections(), errors]).toEqual([1, []]);
    subscription.unsubscribe();
  });

  it('uses as many connections as there are requests at the same time', async () => {
    const held: (() => void)[] = [];
    const server = await serve((_, response) => held.push(() => sendJson(response, {})));
    const transport = transportTo(server);
    const answers = [1, 2, 3].map(() => answer(transport.request(get)));
    await until(() => held.length === 3);
    for (const release of held) release();
    await Promise.all(answers);
    expect(server.connections).toBe(3);
  });

  it('aborts a request whose headers have not come', async () => {
    const server = await serve(() => undefined);
    const { values: events, subscription } = listen(transportTo(server).request(get));
    await until(() => server.requests.length === 1);
    subscription.unsubscribe();
    await until(() => server.openConnections() === 0);
    expect(events).toEqual([]);
  });

  it('aborts a request in the middle of its body', async () => {
    const server = await serve((_, response) => response.writeHead(200).write('part'));
    const { values: events, subscription } = listen(transportTo(server).request(get));
    await until(() => events.length === 2);
    subscription.unsubscribe();
    await until(() => server.openConnections() === 0);
    expect(events.map(({ type }) => type)).toEqual(['head', 'data']);
  });

  it('sends nothing when it is given up before the credentials are there', async () => {
    const server = await serve(ok);
    let give: (credentials: Credentials) => void = () => undefined;
    const late: CredentialSource = { get: () => new Promise((resolve) => (give = resolve)) };
    const { subscription } = listen(transportTo(server, { credentials: late }).request(get));
    subscription.unsubscribe();
    give({ headers: {}, tls: {} });
    await answer(transportTo(server).request(get));
    expect(server.requests).toHaveLength(1);
  });

  it('bounds a whole exchange by its timeout, and none without', async () => {
    const server = await serve((_, response) => response.writeHead(200).write('part'));
    const transport = transportTo(server);
    const { subscription: endless } = listen(transport.request(get));
    const failure = await failureOf(transport.request({ ...get, timeoutMs: 40 }));
    expect(failure).toMatchObject({ code: 'ERR_TIMEOUT', message: 'GET /api/v1/pods got no whole answer within 40 ms' });
    expect(endless.closed).toBe(false);
    endless.unsubscribe();
    await until(() => server.openConnections() === 0);
  });

  it('gives up connecting after a while', async () => {
    // Accepts connections and says nothing, so that the TLS handshake never ends.
    const silent = net.createServer().listen(0, '127.0.0.1');
    cleanups.push(() => silent.close());
    await until(() => silent.listening);
    const { port } = silent.address() as net.AddressInfo;
    const failure = await failureOf(transportTo({ url: `https://127.0.0.1:${port}` }, { connectTimeoutMs: 40 }).request(get));
    expect(failure).toMatchObject({ code: 'ERR_TIMEOUT', message: 'GET /api/v1/pods failed: no connection within 40 ms' });
  });

  it('does not take a slow answer for a slow connection', async () => {
    const connectTimeoutMs = 3_600_000;
    const [set, clear] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
    cleanups.push(() => [set, clear].forEach((spy) => spy.mockRestore()));
    /** The timers that end a connection, and those of them that run. */
    const timers = (): readonly unknown[] =>
      set.mock.results.flatMap(({ value }, at) => (set.mock.calls[at]?.[1] === connectTimeoutMs ? [value] : []));
    const running = (): readonly unknown[] => timers().filter((timer) => !clear.mock.calls.some(([cleared]) => cleared === timer));
    const atRequest: (readonly [number, number])[] = [];
    const respond: Handler = (_, response) => {
      atRequest.push([timers().length, running().length]);
      sendJson(response, {});
    };
    const server = await serve(respond, { cert: pki.server.cert, key: pki.server.key });
    const tls: CredentialSource = { get: () => Promise.resolve({ headers: {}, tls: { ca: pki.ca } }) };
    const transport = transportTo(server, { connectTimeoutMs, credentials: tls });
    await expect(answer(transport.request(get))).resolves.toMatchObject({ status: 200 });
    await expect(answer(transport.request(get))).resolves.toMatchObject({ status: 200 });
    expect(atRequest).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  it('names the request and what happened when nobody listens', async () => {
    const server = await startServer(ok);
    await server.close();
    const failure = await failureOf(transportTo(server).request(get));
    expect(failure).toBeInstanceOf(RequestError);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', request: 'GET /api/v1/pods' });
    expect(failure.message).toMatch(/^GET \/api\/v1\/pods failed: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });

  it('fails when the connection breaks in the middle of a body', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part', () => response.socket?.destroy());
    });
    await expect(failureOf(transportTo(server).request(get))).resolves.toMatchObject({ code: 'ECONNRESET' });
  });

  it('emits the chunks that arrive together as one, also before what breaks the answer', async () => {
    const sent = ['4\r\none\n\r\n4\r\ntwo\n\r\n', '6\r\nthree\n\r\nno length'];
    const server = net.createServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'));
    });
    let socket: net.Socket | undefined;
    server.on('connection', (accepted) => (socket = accepted));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const { port } = server.address() as net.AddressInfo;
    const told: unknown[] = [];
    const over = new Promise((resolve) => {
      transportTo({ url: `http://127.0.0.1:${port}` })
        .request(get)
        .subscribe({
          next: (event) => {
            told.push(event.type === 'head' ? event.status : Buffer.from(event.chunk).toString());
            socket?.write(sent.shift() ?? '');
          },
          error: resolve,
        });
    });
    await expect(over).resolves.toBeInstanceOf(RequestError);
    expect(told).toEqual([200, 'one\ntwo\n', 'three\n']);
  });

  it.each([
    ['whole', 0, 'gzip'],
    ['whole, and named in upper case', 0, 'GZIP'],
    ['cut off', 10, 'gzip'],
  ])('decodes gzip that is %s', async (_, missing, encoding) => {
    const text = 'x'.repeat(5_000) + 'é';
    const packed = zlib.gzipSync(text);
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(packed.subarray(0, packed.length - missing)),
    );
    const exchange = transportTo(server).request(get);
    const decoded = missing === 0 ? await answer(exchange) : await failureOf(exchange);
    expect(decoded).toMatchObject(missing === 0 ? { text } : { message: 'GET /api/v1/pods failed: unexpected end of file' });
  });

  it('fails when the server switches to another protocol', async () => {
    const server = await serve((request) =>
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
    await expect(failureOf(transportTo(server).request(get))).resolves.toMatchObject({
      code: 'ECONNRESET',
      message: 'GET /api/v1/pods failed: the connection ended before the answer did',
    });
  });

  it('gives out what a compressed body has brought so far', async () => {
    const gzip = zlib.createGzip();
    const server = await serve((_, response) => {
      gzip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      gzip.write('first');
      gzip.flush();
    });
    const { values: events, subscription } = listen(transportTo(server).request(get));
    await until(() => events.length === 2);
    subscription.unsubscribe();
    await until(() => server.openConnections() === 0);
    expect(events[1]).toEqual({ type: 'data', chunk: Buffer.from('first') });
  });
});

describe('nodeTransport over a kept connection that the server has closed', () => {
  // The server breaks off the second request of its first connection, as if the client had sent it while the server was closing.
  const breaksUsedConnection: Handler = (_, response, { connection }) => {
    if (connection === 0 && response.req.socket.bytesWritten > 0) response.req.socket.destroy();
    else sendJson(response, { connection });
  };

  it('repeats a GET on a new connection', async () => {
    const server = await serve(breaksUsedConnection);
    const transport = transportTo(server);
    await answer(transport.request(get));
    await expect(answer(transport.request(get))).resolves.toMatchObject({ text: '{"connection":1}' });
    expect(server.requests).toHaveLength(3);
  });

  it('does not repeat a write, which may have been carried out', async () => {
    const server = await serve(breaksUsedConnection);
    const transport = transportTo(server);
    await answer(transport.request(get));
    await expect(failureOf(transport.request({ method: 'POST', path: '/a', body: '{}' }))).resolves.toMatchObject({ code: 'ECONNRESET' });
    expect(server.requests).toHaveLength(2);
  });

  it('does not repeat what fails on a new connection', async () => {
    const server = await serve((request) => request.socket.destroy());
    await expect(failureOf(transportTo(server).request(get))).resolves.toMatchObject({ code: 'ECONNRESET' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('nodeTransport with TLS', () => {
  const tls = { cert: pki.server.cert, key: pki.server.key, ca: pki.ca, requestCert: true, rejectUnauthorized: false };
  const whoami: Handler = (request, response) => {
    sendJson(response, { user: userOf(request) });
  };
  const withTls = (identity: Credentials['tls']): CredentialSource => ({ get: () => Promise.resolve({ headers: {}, tls: identity }) });

  it('trusts the given authority, and no other', async () => {
    const server = await serve(whoami, tls);
    await expect(answer(transportTo(server, { credentials: withTls({ ca: pki.ca }) }).request(get))).resolves.toMatchObject({
      status: 200,
    });
    const failure = await failureOf(transportTo(server).request(get));
    expect(failure.code).toBe('SELF_SIGNED_CERT_IN_CHAIN');
  });

  it('trusts anybody where told to', async () => {
    const server = await serve(whoami, tls);
    const transport = transportTo(server, { credentials: withTls({ rejectUnauthorized: false }) });
    await expect(answer(transport.request(get))).resolves.toMatchObject({ status: 200 });
  });

  it('leaves the connections of an old client certificate when there is a new one', async () => {
    const server = await serve(whoami, tls);
    let current = pki.alice;
    const credentials: CredentialSource = { get: () => Promise.resolve({ headers: {}, tls: { ca: pki.ca, ...current } }) };
    const transport = transportTo(server, { credentials });
    const users = [await answer(transport.request(get)), await answer(transport.request(get))];
    current = pki.bob;
    users.push(await answer(transport.request(get)));
    expect(users.map(({ text }) => text)).toEqual(['{"user":"alice"}', '{"user":"alice"}', '{"user":"bob"}']);
    expect(server.connections).toBe(2);
    await until(() => server.openConnections() === 1);
  });

  it('closes the connections of an old client certificate when their requests end', async () => {
    const held: (() => void)[] = [];
    const server = await serve((request, response) => held.push(() => whoami(request, response, {} as never)), tls);
    let current = pki.alice;
    const credentials: CredentialSource = { get: () => Promise.resolve({ headers: {}, tls: { ca: pki.ca, ...current } }) };
    const transport = transportTo(server, { credentials });
    const first = answer(transport.request(get));
    await until(() => held.length === 1);
    current = pki.bob;
    const second = answer(transport.request(get));
    await until(() => held.length === 2);
    for (const release of held) release();
    expect([(await first).text, (await second).text]).toEqual(['{"user":"alice"}', '{"user":"bob"}']);
    await until(() => server.openConnections() === 1);
  });
});

describe('nodeTransport and its credentials', () => {
  it('asks for them before every request, and shares one answer among those that wait', async () => {
    const server = await serve(ok);
    let asked = 0;
    const credentials: CredentialSource = {
      get: async () => {
        asked += 1;
        const number = asked;
        await new Promise((resolve) => setTimeout(resolve, 10));
        return { headers: { authorization: `Bearer ${number}` }, tls: {} };
      },
    };
    const transport = transportTo(server, { credentials });
    await Promise.all([1, 2, 3, 4, 5].map(() => answer(transport.request(get))));
    await answer(transport.request(get));
    expect(asked).toBe(2);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([...Array<string>(5).fill('Bearer 1'), 'Bearer 2']);
  });

  function renewable(): CredentialSource & { renewals: number } {
    const source = {
      renewals: 0,
      get: () => Promise.resolve({ headers: { authorization: `Bearer ${source.renewals}` }, tls: {} }),
      renew: () => {
        source.renewals += 1;
      },
    };
    return source;
  }

  it('renews them after a 401, and repeats the request', async () => {
    const server = await serve((request, response) => sendJson(response, {}, request.headers.authorization === 'Bearer 1' ? 201 : 401));
    const exchange = transportTo(server, { credentials: renewable() }).request({ method: 'POST', path: '/a', body: '{"a":1}' });
    await expect(answer(exchange)).resolves.toMatchObject({ status: 201 });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('takes a second 401 for the answer', async () => {
    const server = await serve((_, response) => sendJson(response, { code: 401 }, 401));
    await expect(answer(transportTo(server, { credentials: renewable() }).request(get))).resolves.toMatchObject({
      status: 401,
      text: '{"code":401}',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('renews once for all requests that were refused with the same', async () => {
    const held: (() => void)[] = [];
    const server = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer 1') sendJson(response, {});
      else held.push(() => sendJson(response, {}, 401));
    });
    const credentials = renewable();
    const transport = transportTo(server, { credentials });
    const answers = [1, 2, 3].map(() => answer(transport.request(get)));
    await until(() => held.length === 3);
    for (const refuse of held) refuse();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(credentials.renewals).toBe(1);
  });

  it('does not take an answer for a new one that was asked for before the refusal', async () => {
    const held: (() => void)[] = [];
    const server = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer new') sendJson(response, {});
      else held.push(() => sendJson(response, {}, 401));
    });
    const late: (() => void)[] = [];
    let token = 'old';
    const credentials: CredentialSource = {
      get: async () => {
        const headers = { authorization: `Bearer ${token}` };
        if (server.requests.length > 0 && token === 'old') await new Promise<void>((resolve) => late.push(resolve));
        return { headers, tls: {} };
      },
      renew: () => {
        token = 'new';
      },
    };
    const transport = transportTo(server, { credentials });
    const first = answer(transport.request(get));
    await until(() => held.length === 1);
    const second = answer(transport.request(get));
    await until(() => late.length === 1);
    held[0]?.();
    await expect(first).resolves.toMatchObject({ status: 200 });
    late[0]?.();
    await until(() => held.length === 2);
    held[1]?.();
    await expect(second).resolves.toMatchObject({ status: 200 });
  });

  it('does not repeat a request when its credentials cannot change', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 401));
    await expect(answer(transportTo(server).request(get))).resolves.toMatchObject({ status: 401 });
    expect(server.requests).toHaveLength(1);
  });

  it('says that there are none, and asks again the next time', async () => {
    const server = await serve(ok);
    let fails = true;
    const credentials: CredentialSource = {
      get: () => (fails ? Promise.reject(new Error('cannot log in')) : Promise.resolve({ headers: {}, tls: {} })),
    };
    const transport = transportTo(server, { credentials });
    await expect(failureOf(transport.request(get))).resolves.toMatchObject({
      code: 'ERR_CREDENTIALS',
      message: 'GET /api/v1/pods was not sent, as there are no credentials: cannot log in',
    });
    fails = false;
    await expect(answer(transport.request(get))).resolves.toMatchObject({ status: 200 });
  });
});

describe('nodeTransport, closing', () => {
  it('leaves no connection', async () => {
    const server = await serve(ok);
    const transport = transportTo(server);
    await answer(transport.request(get));
    expect(server.openConnections()).toBe(1);
    transport.close();
    await until(() => server.openConnections() === 0);
    expect(server.openConnections()).toBe(0);
  });

  it('distrusts the idle connections after a long silence', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/silent') response.writeHead(200).flushHeaders();
      else sendJson(response, {});
    });
    const transport = transportTo(server);
    const { values: events, subscription: silent } = listen(transport.request({ method: 'GET', path: '/silent' }));
    await until(() => events.length === 1);
    await answer(transport.request(get));
    expect(server.openConnections()).toBe(2);
    const now = performance.now.bind(performance);
    performance.now = () => now() + 10_000;
    silent.unsubscribe();
    performance.now = now;
    await until(() => server.openConnections() === 0);
    expect(server.connections).toBe(2);
  });
});
