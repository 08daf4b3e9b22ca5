import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { CredentialSource, TlsIdentity } from '../../../src/client/auth/credentials.js';
import { nodeTransport } from '../../../src/client/node/nodeTransport.js';
import { collect } from '../collect.js';
import { requesting, type RequestingTransport } from '../requesting.js';
import { listen } from '../listen.js';
import { sendJson, startServer, until, type Handler } from '../startServer.js';
import { certificates, userOf } from './certificates.js';
import { startProxy } from './startProxy.js';

const pki = certificates();
const secure = { key: pki.server.key, cert: pki.server.cert, ca: pki.ca, requestCert: true };
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

function through(server: string, url: string, tls: TlsIdentity = {}, connectTimeoutMs = 60_000): RequestingTransport {
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
  it('carries TLS, with the client certificate, over one connection', async () => {
    const users: unknown[] = [];
    const server = await serve((request, response) => {
      users.push(userOf(request));
      sendJson(response, {});
    }, secure);
    let tunnels = 0;
    const proxy = http.createServer().on('connect', (request, socket: Socket) => {
      tunnels += 1;
      connect(request, socket);
    });
    const transport = through(server, `http://127.0.0.1:${await portOf(proxy)}`, { ca: pki.ca, ...pki.alice });
    for (let turn = 0; turn < 3; turn += 1) await collect(transport.request(get));
    expect([tunnels, users]).toEqual([1, ['alice', 'alice', 'alice']]);
  });

  it('says who asks', async () => {
    const asked: unknown[] = [];
    const plain = http.createServer().on('connect', (request, socket: Socket) => {
      asked.push(request.url, request.headers['proxy-authorization'], request.headers.host);
      socket.end('HTTP/1.1 407 No\r\n\r\n');
    });
    await failureOf(through('https://example.com', `http://jane:p%40ss@127.0.0.1:${await portOf(plain)}`));
    expect(asked).toEqual(['example.com:443', `Basic ${btoa('jane:p@ss')}`, 'example.com:443']);
  });

  it("reaches a proxy over TLS that the cluster's authority vouches for, as in Go", async () => {
    const proxy = https.createServer({ key: pki.server.key, cert: pki.server.cert }).on('connect', connect);
    const url = `https://localhost:${await portOf(proxy)}`;
    const server = await serve(ok, secure);
    await expect(collect(through(server, url, { ca: pki.ca, ...pki.alice }).request(get))).resolves.toBeDefined();
    expect(await failureOf(through(server, url, pki.alice))).toMatchObject({
      code: expect.stringMatching(/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/),
    });
  });

  it.each([
    [
      'refuses it',
      (socket: Socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
      'ERR_PROXY',
      'the proxy answered 407',
      60_000,
    ],
    ['hangs up', (socket: Socket) => socket.destroy(), 'ECONNRESET', 'GET /a failed: ', 60_000],
    ['says nothing', () => undefined, 'ERR_TIMEOUT', 'no tunnel of the proxy within 300 ms', 300],
  ])('fails when the proxy %s', async (_, answer, code, message, connectTimeoutMs) => {
    const proxy = http.createServer().on('connect', (_request, socket: Socket) => {
      cleanups.push(() => socket.destroy());
      answer(socket);
    });
    const transport = through('https://example.com', `http://127.0.0.1:${await portOf(proxy)}`, {}, connectTimeoutMs);
    expect(await failureOf(transport)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('fails when the proxy is none, and when there is nobody', async () => {
    const port = await portOf(http.createServer());
    expect(await failureOf(through('https://example.com', `http://127.0.0.1:${port}`))).toMatchObject({ code: expect.any(String) });
    expect(await failureOf(through('https://example.com', 'http://127.0.0.1:1'))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  /** Leaves a request when the proxy has its connection, and closes the client: that connection ends. */
  async function letGo(transport: ReturnType<typeof through>, sockets: readonly Socket[]): Promise<readonly Socket[]> {
    const { subscription } = listen(transport.request(get));
    await until(() => sockets.length === 1);
    subscription.unsubscribe();
    transport.close();
    await until(() => sockets.every((socket) => socket.destroyed));
    return sockets;
  }

  it('is closed when nobody waits for it any more', async () => {
    const sockets: Socket[] = [];
    const proxy = http.createServer().on('connect', (request, socket: Socket) => {
      sockets.push(socket);
      connect(request, socket);
    });
    const server = await serve(() => undefined, secure);
    const transport = through(server, `http://127.0.0.1:${await portOf(proxy)}`, { ca: pki.ca, ...pki.alice });
    expect(await letGo(transport, sockets)).toHaveLength(1);
  });

  it('is given up when the client is closed before the proxy has answered', async () => {
    const sockets: Socket[] = [];
    const proxy = http.createServer().on('connect', (_request, socket: Socket) => void sockets.push(socket.on('end', () => socket.end())));
    const transport = through('https://example.com', `http://127.0.0.1:${await portOf(proxy)}`);
    expect(await letGo(transport, sockets)).toHaveLength(1);
  });
});

describe('a server without TLS behind a proxy', () => {
  it('is asked for by its whole URL, without a tunnel', async () => {
    const server = await startServer(ok);
    const proxy = await startProxy();
    cleanups.push(
      () => server.close(),
      () => proxy.close(),
    );
    const transport = through(server.url, proxy.url.replace('//', '//jane:p%40ss@'));
    await collect(transport.request(get));
    expect([proxy.tunnels, proxy.forwarded]).toEqual([[], [{ url: `${server.url}/a`, user: `Basic ${btoa('jane:p@ss')}` }]]);
    expect(server.requests).toMatchObject([{ url: '/a', headers: { host: new URL(server.url).host } }]);
  });
});

/** A proxy of SOCKS 5 that leads all connections to one port, and notes what it was asked for. */
async function startSocks(port: number): Promise<{ readonly url: string; readonly asked: Buffer[] }> {
  const asked: Buffer[] = [];
  const proxy = net.createServer((near) => {
    cleanups.push(() => near.destroy());
    near.on('error', () => near.destroy());
    near.once('data', (methods) => {
      asked.push(methods);
      near.write(Buffer.from([5, 0]));
      near.once('data', (target) => {
        asked.push(target);
        const far = net.connect(port, '127.0.0.1').on('error', () => near.destroy());
        near.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        far.pipe(near).pipe(far);
      });
    });
  });
  return { url: `socks5://127.0.0.1:${await portOf(proxy)}`, asked };
}

describe('a proxy of SOCKS', () => {
  it.each([
    ['a name, which it resolves itself', 'localhost', [5, 1, 0, 3, 9, ...Buffer.from('localhost')]],
    ['an address', '127.0.0.1', [5, 1, 0, 1, 127, 0, 0, 1]],
  ])('is asked for %s', async (_, host, expected) => {
    const server = new URL(await serve(ok, secure));
    const { url, asked } = await startSocks(Number(server.port));
    const transport = through(`https://${host}:${server.port}`, url, { ca: pki.ca, ...pki.alice });
    await expect(collect(transport.request(get))).resolves.toBeDefined();
    expect([...(asked[1] ?? [])].slice(0, -2)).toEqual(expected);
  });

  it('is offered a password, and no error shows it', async () => {
    const { url, asked } = await startSocks(1);
    const error = await failureOf(through('https://example.com', url.replace('//', '//jane:c2VjcmV0@')));
    expect([...(asked[0] ?? [])]).toEqual([5, 2, 0, 2]);
    expect(inspect(error, { depth: 9 })).not.toContain('c2VjcmV0');
  });
});
