import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { CredentialSource, TlsIdentity } from '../../../src/client/auth/credentials.js';
import { nodeTransport } from '../../../src/client/node/nodeTransport.js';
import { collect } from '../collect.js';
import { requesting, type RequestingTransport } from '../requesting.js';
import { listen } from '../listen.js';
import { sendJson, startServer, until, type Handler } from '../startServer.js';
import { certificates, userOf } from './certificates.js';

const pki = certificates();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function serve(handler: Handler, tls?: https.ServerOptions): Promise<string> {
  const server = await startServer(handler, tls);
  cleanups.push(() => server.close());
  return server.url;
}

function through(server: string, url: string, tls: TlsIdentity = {}, connectTimeoutMs = 5_000): RequestingTransport {
  const credentials: CredentialSource = { get: () => Promise.resolve({ headers: {}, tls, proxy: { url } }) };
  const transport = requesting(nodeTransport({ server, credentials, connectTimeoutMs }));
  cleanups.push(() => transport.close());
  return transport;
}

const get = { method: 'GET', path: '/a' } as const;
const ok: Handler = (_, response) => sendJson(response, {});
const failureOf = (transport: RequestingTransport): Promise<unknown> => collect(transport.request(get)).catch((error: unknown) => error);

/** Opens the tunnel that is asked for. */
function connect(request: IncomingMessage, near: Socket): void {
  const [host, port] = (request.url ?? '').split(':');
  const far = net.connect(Number(port), host, () => {
    near.write('HTTP/1.1 200 OK\r\n\r\n');
    far.pipe(near).pipe(far);
  });
  for (const socket of [near, far]) {
    socket.on('error', () => undefined).on('close', () => [near, far].forEach((each) => each.destroy()));
    cleanups.push(() => socket.destroy());
  }
}

describe('a tunnel through a proxy', () => {
  it.each([
    ['plain HTTP', undefined],
    ['TLS', { key: pki.server.key, cert: pki.server.cert, ca: pki.ca, requestCert: true }],
  ])('carries %s, with the client certificate, over one connection', async (_, tls) => {
    const users: unknown[] = [];
    const server = await serve((request, response) => {
      users.push(tls && userOf(request));
      sendJson(response, {});
    }, tls);
    let tunnels = 0;
    const proxy = http.createServer().on('connect', (request, socket: Socket) => {
      tunnels += 1;
      connect(request, socket);
    });
    const transport = through(server, `http://127.0.0.1:${await portOf(proxy)}`, { ca: pki.ca, ...pki.alice });
    for (let turn = 0; turn < 3; turn += 1) await collect(transport.request(get));
    expect([tunnels, users]).toEqual([1, Array.from({ length: 3 }, () => tls && 'alice')]);
  });

  it('says who asks, and reaches a proxy over TLS', async () => {
    const asked: unknown[] = [];
    const proxy = https.createServer({ key: pki.server.key, cert: pki.server.cert }).on('connect', (request, socket: Socket) => {
      asked.push(request.url, request.headers['proxy-authorization'], request.headers.host);
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    const transport = through('http://example.com', `https://jane:p%40ss@127.0.0.1:${await portOf(proxy)}`);
    // The certificate is verified: its authority is unknown here.
    expect(await failureOf(transport)).toMatchObject({ code: expect.stringMatching(/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/) });
    const plain = http.createServer().on('connect', (request, socket: Socket) => {
      asked.push(request.url, request.headers['proxy-authorization'], request.headers.host);
      socket.end('HTTP/1.1 407 No\r\n\r\n');
    });
    await failureOf(through('http://example.com', `http://jane:p%40ss@127.0.0.1:${await portOf(plain)}`));
    expect(asked).toEqual(['example.com:80', `Basic ${btoa('jane:p@ss')}`, 'example.com:80']);
  });

  it.each([
    [
      'refuses it',
      (socket: Socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
      'ERR_PROXY',
      'the proxy answered 407',
    ],
    ['hangs up', (socket: Socket) => socket.destroy(), 'ECONNRESET', 'GET /a failed: '],
    ['says nothing', () => undefined, 'ERR_TIMEOUT', 'no tunnel of the proxy within 300 ms'],
  ])('fails when the proxy %s', async (_, answer, code, message) => {
    const proxy = http.createServer().on('connect', (_request, socket: Socket) => {
      cleanups.push(() => socket.destroy());
      answer(socket);
    });
    const transport = through(await serve(ok), `http://127.0.0.1:${await portOf(proxy)}`, {}, 300);
    expect(await failureOf(transport)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('fails when the proxy is none, and when there is nobody', async () => {
    const port = await portOf(http.createServer());
    expect(await failureOf(through('http://example.com', `http://127.0.0.1:${port}`))).toMatchObject({ code: expect.any(String) });
    expect(await failureOf(through('http://example.com', 'http://127.0.0.1:1'))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is closed when nobody waits for it any more', async () => {
    const sockets: Socket[] = [];
    const proxy = http.createServer().on('connect', (request, socket: Socket) => {
      sockets.push(socket);
      connect(request, socket);
    });
    const server = await serve(() => undefined);
    const transport = through(server, `http://127.0.0.1:${await portOf(proxy)}`);
    const { subscription } = listen(transport.request(get));
    await until(() => sockets.length === 1);
    subscription.unsubscribe();
    transport.close();
    await until(() => sockets.every((socket) => socket.destroyed));
    expect(sockets).toHaveLength(1);
  });
});
