import { afterEach, describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import type { CredentialSource } from '../../../src/client/auth/credentials.js';
import { fetchTransport } from '../../../src/client/requests/fetchTransport.js';
import { RequestError } from '../../../src/client/requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../../../src/client/requests/transport.js';
import { collect } from '../collect.js';
import { requesting, type RequestingTransport } from '../requesting.js';
import { listen } from '../listen.js';
import { sendJson, startServer, until, type Handler, type SpecServer } from '../startServer.js';

const get: TransportRequest = { method: 'GET', path: '/api/v1/pods?limit=5' };
const anonymous: CredentialSource = { get: () => Promise.resolve({ headers: {}, tls: {} }) };

const servers: SpecServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(handler: Handler): Promise<SpecServer> {
  const server = await startServer(handler);
  servers.push(server);
  return server;
}

function transportTo(server: { readonly url: string }, credentials = anonymous): RequestingTransport {
  return requesting(fetchTransport(server.url, credentials, fetch));
}

async function answer(exchange: Observable<TransportEvent>) {
  const [head, ...rest] = await collect(exchange);
  if (head?.type !== 'head') throw new Error('Expected the head first');
  const text = rest.map((event) => (event.type === 'data' ? new TextDecoder().decode(event.chunk) : '')).join('');
  return { status: head.status, headers: head.headers, text };
}

describe('fetchTransport', () => {
  it('sends nothing that is refused right before', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    const late = new Error('too late');
    const beforeSend = (): void => {
      throw late;
    };
    await expect(answer(transportTo(server).request({ ...get, beforeSend }))).rejects.toBe(late);
    expect(server.requests).toEqual([]);
  });

  it('sends method, path, headers and body, and gives status, headers and bytes', async () => {
    const server = await serve((_, response) => response.writeHead(409, { 'x-a': 'b' }).end('é'));
    const credentials: CredentialSource = {
      get: () => Promise.resolve({ headers: { authorization: 'Bearer t', 'impersonate-group': ['g'] }, tls: {} }),
    };
    const request: TransportRequest = {
      method: 'PATCH',
      path: '/a?b=c%20d',
      headers: { 'content-type': 'application/json' },
      body: '{"a":"é"}',
    };
    await expect(answer(transportTo(server, credentials).request(request))).resolves.toMatchObject({
      status: 409,
      headers: { 'x-a': 'b' },
      text: 'é',
    });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer t', 'impersonate-group': 'g' };
    expect(server.requests).toMatchObject([{ method: 'PATCH', url: '/a?b=c%20d', body: '{"a":"é"}', headers }]);
  });

  it('is cold: every subscription is a request of its own', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    const exchange = transportTo(server).request(get);
    expect(server.requests).toHaveLength(0);
    await answer(exchange);
    await answer(exchange);
    expect(server.requests).toHaveLength(2);
  });

  it('aborts a request whose headers have not come', async () => {
    const server = await serve(() => undefined);
    const { subscription } = listen(transportTo(server).request(get));
    await until(() => server.requests.length === 1);
    const [socket] = server.sockets;
    subscription.unsubscribe();
    // Node's fetch opens another connection at once, for later.
    await until(() => socket?.destroyed === true);
    expect(server.requests).toHaveLength(1);
  });

  it('aborts a request in the middle of its body (RT-12)', async () => {
    const server = await serve((_, response) => response.writeHead(200).write('part'));
    const { values: events, subscription } = listen(transportTo(server).request(get));
    await until(() => events.length === 2);
    const [socket] = server.sockets;
    subscription.unsubscribe();
    await until(() => socket?.destroyed === true);
    expect(events.map(({ type }) => type)).toEqual(['head', 'data']);
  });

  it('ends the body that it reads itself: after a garbage collection, the signal of a request reaches it no more', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('part')),
      cancel: () => void (isCancelled = true),
    });
    const deaf = (): Promise<Response> => Promise.resolve(new Response(body));
    const transport = requesting(fetchTransport('http://127.0.0.1:1', anonymous, deaf));
    const { values: events, subscription } = listen(transport.request(get));
    await until(() => events.length === 2);
    subscription.unsubscribe();
    expect(isCancelled).toBe(true);
  });

  it('bounds a whole exchange by its timeout', async () => {
    const sockets: unknown[] = [];
    const server = await serve((request, response) => {
      sockets.push(request.socket);
      response.writeHead(200).write('part');
    });
    const exchange = answer(transportTo(server).request({ ...get, timeoutMs: 40 }));
    await expect(exchange).rejects.toMatchObject({ code: 'ERR_TIMEOUT', message: 'GET /api/v1/pods got no whole answer within 40 ms' });
    await until(() => ![...server.sockets].some((socket) => sockets.includes(socket)));
  });

  it.each([2 ** 31, Infinity])('waits as long as it is told: %d ms', async (timeoutMs) => {
    const server = await serve((_, response) => void setTimeout(() => response.writeHead(200).end('whole'), 40));
    await expect(answer(transportTo(server).request({ ...get, timeoutMs, silenceMs: timeoutMs }))).resolves.toMatchObject({
      text: 'whole',
    });
  });

  it('says what happened when nobody listens', async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const failed = answer(transportTo(server).request(get));
    await expect(failed).rejects.toBeInstanceOf(RequestError);
    await expect(failed).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: expect.stringMatching(/^GET \/api\/v1\/pods failed: connect ECONNREFUSED/) as unknown,
    });
  });

  it('fails when the connection breaks in the middle of a body', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part', () => response.socket?.destroy());
    });
    await expect(answer(transportTo(server).request(get))).rejects.toMatchObject({
      message: expect.stringMatching(/^GET \/api\/v1\/pods failed: /) as unknown,
    });
  });

  it('asks for a token again after a 401, and repeats the request once', async () => {
    const server = await serve((request, response) => sendJson(response, {}, request.headers.authorization === 'Bearer 2' ? 200 : 401));
    let asked = 0;
    const credentials: CredentialSource = {
      get: () => Promise.resolve({ headers: { authorization: `Bearer ${++asked}` }, tls: {} }),
      renew: () => undefined,
    };
    await expect(answer(transportTo(server, credentials).request(get))).resolves.toMatchObject({ status: 200 });
    await expect(answer(transportTo(server, credentials).request(get))).resolves.toMatchObject({ status: 401 });
    expect(server.requests).toHaveLength(4);
  });

  it('does not follow a redirect, which would carry the token away', async () => {
    const server = await serve((_, response) => response.writeHead(302, { location: '/login' }).end());
    await expect(answer(transportTo(server).request(get))).resolves.toMatchObject({ status: 302 });
    expect(server.requests).toHaveLength(1);
  });

  it('says that a browser has hidden a redirect, which has no status there', async () => {
    const response: Response = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const exchange = requesting(fetchTransport('https://api.test', anonymous, () => Promise.resolve(response))).request(get);
    await expect(answer(exchange)).rejects.toMatchObject({
      code: 'ERR_REQUEST',
      message: 'GET /api/v1/pods failed: the answer is a redirect, as to a login',
    });
  });

  it.each([undefined, { pipe: () => undefined }])('says that its `fetch` does not stream: the body is %p', async (body) => {
    const response = { status: 200, headers: new Headers(), body } as unknown as Response;
    const exchange = requesting(fetchTransport('https://api.test', anonymous, () => Promise.resolve(response))).request(get);
    await expect(answer(exchange)).rejects.toMatchObject({
      code: 'ERR_REQUEST',
      message: 'GET /api/v1/pods failed: expected a streaming `fetch`',
    });
  });
});
