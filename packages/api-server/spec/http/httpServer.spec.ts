import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import type { ApiServerOptions } from '../../src/apiServerOptions.js';
import { targetOf } from '../support/targetOf.js';
import { send } from '../support/httpClient.js';

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function sessionTo({ url, credentials: { ca, clientCert: cert, clientKey: key } }: TestApiServer): ClientHttp2Session {
  const session = connect(url, { ca, cert, key });
  session.on('error', () => undefined);
  return session;
}

function ask(session: ClientHttp2Session, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': '/api/v1/namespaces', ...headers });
    let received: IncomingHttpHeaders = {};
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (answer) => (received = answer)).on('data', (part: string) => (text += part));
    stream.on('end', () => resolve({ headers: received, text })).on('error', reject);
    stream.end(body);
  });
}

/** Reads the first lines of a watch, then closes it. */
function firstLines(session: ClientHttp2Session, path: string, count: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path });
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (part: string) => {
      text += part;
      const lines = text.split('\n').slice(0, -1);
      if (lines.length < count) return;
      stream.close();
      resolve(lines);
    });
    stream.on('error', reject);
  });
}

describe('httpServer', () => {
  let server: TestApiServer;
  let session: ClientHttp2Session | undefined;
  const start = async (options: ApiServerOptions): Promise<TestApiServer> => (server = await startApiServer(options));
  const secure = async (options: ApiServerOptions = {}): Promise<ClientHttp2Session> => {
    await start({ tls: true, ...options });
    session = sessionTo(server);
    return session;
  };
  afterEach(async () => {
    session?.destroy();
    session = undefined;
    await server.close();
  });

  it('speaks HTTP/2 and HTTP/1.1 on one port', async () => {
    const http2 = await secure();
    const [first, second] = await Promise.all([ask(http2, {}), ask(http2, { ':path': '/version' })]);
    expect([first.headers[':status'], second.headers[':status'], http2.alpnProtocol]).toEqual([200, 200, 'h2']);
    expect(JSON.parse(first.text)).toMatchObject({ kind: 'NamespaceList' });
    expect(await targetOf(server).request('/api/v1/namespaces')).toMatchObject({ code: 200, text: first.text });
  });

  it('writes and watches over HTTP/2, many at once on one connection', async () => {
    const http2 = await secure();
    const path = '/api/v1/namespaces/default/secrets';
    const watches = Array.from({ length: 20 }, () => firstLines(http2, `${path}?watch=1`, 2));
    const body = (name: string): string => JSON.stringify({ metadata: { name } });
    const created = await Promise.all(
      ['a', 'b'].map((name) => ask(http2, { ':path': path, ':method': 'POST', 'content-type': 'application/json' }, body(name))),
    );
    expect(created.map(({ headers }) => headers[':status'])).toEqual([201, 201]);
    for (const lines of await Promise.all(watches))
      expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['ADDED', 'ADDED']);
  });

  it('sends large answers over HTTP/2, compressed where asked', async () => {
    const http2 = await secure();
    server.objects.put(
      Array.from({ length: 40 }, (_, at) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `c${String(at)}` },
        data: { k: 'x'.repeat(20_000) },
      })),
    );
    const plain = await ask(http2, { ':path': '/api/v1/configmaps' });
    const packed = await ask(http2, { ':path': '/api/v1/configmaps', 'accept-encoding': 'gzip' });
    expect((JSON.parse(plain.text) as { items: unknown[] }).items).toHaveLength(40);
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  });

  it('knows who asks by the certificate, and whom he acts as', async () => {
    const http2 = await secure({ auth: {} });
    const review = { ':path': '/apis/authentication.k8s.io/v1/selfsubjectreviews', ':method': 'POST', 'content-type': 'application/json' };
    const own = await ask(http2, review, '{}');
    const other = await ask(http2, { ...review, 'impersonate-user': 'alice', 'impersonate-group': 'staff' }, '{}');
    expect(JSON.parse(own.text)).toMatchObject({ status: { userInfo: { groups: ['system:masters', 'system:authenticated'] } } });
    expect(JSON.parse(other.text)).toMatchObject({
      status: { userInfo: { username: 'alice', groups: ['staff', 'system:authenticated'] } },
    });
  });

  it('refuses a body that is too large without a header of HTTP/1.1', async () => {
    const http2 = await secure();
    const { headers } = await ask(
      http2,
      { ':path': '/api/v1/namespaces/default/secrets', ':method': 'POST', 'content-type': 'application/json' },
      ' '.repeat(3 * 1024 * 1024 + 1),
    );
    expect([headers[':status'], headers.connection]).toEqual([413, undefined]);
  });

  it.each(['headers', 'body'] as const)('cuts the connection of HTTP/2 at the %s', async (at) => {
    const http2 = await secure();
    const closed = new Promise((resolve) => http2.once('close', resolve));
    const { struck } = server.faults.inject({ type: 'cut', at, count: 1 });
    await ask(http2, {}).catch(() => undefined);
    await closed;
    expect(struck).toBe(0);
    session = sessionTo(server);
    expect((await ask(session, {})).headers[':status']).toBe(200);
  });

  it('lets pages of the origins given read its answers, and no others', async () => {
    await start({ allowedOrigins: ['https://dashboard.example'] });
    const from = (origin: string, method = 'GET'): ReturnType<typeof send> => send(server, '/version', { method, headers: { origin } });
    const allowed = await from('https://dashboard.example');
    expect(allowed).toMatchObject({ code: 200, headers: { 'access-control-allow-origin': 'https://dashboard.example', vary: 'Origin' } });
    const question = await from('https://dashboard.example', 'OPTIONS');
    expect(question).toMatchObject({
      code: 204,
      text: '',
      headers: { 'access-control-allow-methods': expect.stringContaining('PATCH') as unknown },
    });
    expect(await from('https://other.example')).toMatchObject({ code: 403 });
    expect((await from('http://localhost:3000')).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lets pages of this machine read answers with cors, and no others', async () => {
    await start({ cors: true });
    const from = (origin: string): ReturnType<typeof send> => send(server, '/version', { headers: { origin } });
    expect((await from('http://localhost:5173')).headers).toMatchObject({ 'access-control-allow-origin': 'http://localhost:5173' });
    expect((await from('http://127.0.0.1:1')).headers).toMatchObject({ 'access-control-allow-origin': 'http://127.0.0.1:1' });
    expect(await from('https://localhost.example')).toMatchObject({ code: 403 });
  });

  it('listens on other addresses for those who have a token', async () => {
    const [address] = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.filter(({ family, internal }) => family === 'IPv4' && !internal),
    );
    const bind = address?.address ?? '0.0.0.0';
    await start({ bind, auth: { tokens: { secret: 'alice' } } });
    const url = `http://${bind === '0.0.0.0' ? '127.0.0.1' : bind}:${String(server.port)}`;
    expect(server.url).toBe(url);
    const headers = { host: 'cluster.example', authorization: 'Bearer secret' };
    expect(await send({ url }, '/api/v1/namespaces', { headers })).toMatchObject({ code: 200 });
    expect(await send({ url }, '/api/v1/namespaces')).toMatchObject({ code: 403 });
    await expect(startApiServer({ bind })).rejects.toThrow('Expected `auth` with a token, since `bind` opens the server to other machines');
  });
});
