import { once } from 'node:events';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { resources } from '../../../../src/api/resources.js';
import type { CredentialSource } from '../../../../src/client/auth/credentials.js';
import { createClient } from '../../../../src/client/createClient.js';
import { nodeTransport, type NodeTransportInit } from '../../../../src/client/node/nodeTransport.js';
import type { TransportEvent, TransportRequest } from '../../../../src/client/requests/transport.js';
import { collect } from '../../collect.js';
import { requesting, type RequestingTransport } from '../../requesting.js';
import { sendJson, startServer, until } from '../../startServer.js';
import { certificates } from '../certificates.js';

const { pods } = resources.core.v1;
const pki = certificates();
const get: TransportRequest = { method: 'GET', path: '/api/v1/pods' };
const post: TransportRequest = { method: 'POST', path: '/api/v1/pods', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
const credentials: CredentialSource = { get: () => Promise.resolve({ headers: { authorization: 'Bearer t' }, tls: { ca: pki.ca } }) };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: net.Server): Promise<number> {
  await once(server.listen(0, 'localhost'), 'listening');
  return (server.address() as AddressInfo).port;
}

type Answer = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, body: string) => void;

interface Served {
  readonly url: string;
  readonly port: number;
  /** Each request that was looked at, and by which connection it came. */
  readonly seen: string[];
  readonly sessions: http2.ServerHttp2Session[];
}

async function serve(answer: Answer, settings: http2.Settings = {}): Promise<Served> {
  const seen: string[] = [];
  const sessions: http2.ServerHttp2Session[] = [];
  const server = http2.createSecureServer({ ...pki.server, settings });
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    let body = '';
    stream.setEncoding('utf8').on('data', (part: string) => (body += part));
    stream.on('end', () => {
      seen.push(
        `${headers[':method'] ?? ''} ${headers[':path'] ?? ''} ${body} by ${sessions.indexOf(stream.session as http2.ServerHttp2Session)}`,
      );
      answer(stream, headers, body);
    });
  });
  const port = await listen(server);
  cleanups.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { url: `https://localhost:${port}`, port, seen, sessions };
}

function transportTo(url: string, init: Partial<NodeTransportInit> = {}): RequestingTransport {
  const transport = requesting(nodeTransport({ server: url, credentials, http2: true, ...init }));
  cleanups.push(() => transport.close());
  return transport;
}

async function textOf(exchange: Observable<TransportEvent>): Promise<string> {
  const [, ...rest] = await collect(exchange);
  return Buffer.concat(rest.map((event) => (event.type === 'data' ? event.chunk : Buffer.alloc(0)))).toString('utf8');
}

const ok: Answer = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.end('ok');
};

/** Answers a watch with one line, and continues on command. */
function watches(): { readonly answer: Answer; readonly streams: http2.ServerHttp2Stream[] } {
  const streams: http2.ServerHttp2Stream[] = [];
  const answer: Answer = (stream, headers, body) => {
    if (headers[':path']?.includes('watch') !== true) {
      ok(stream, headers, body);
      return;
    }
    streams.push(stream);
    stream.respond({ ':status': 200 });
    stream.write('line\n');
  };
  return { answer, streams };
}

const watch: TransportRequest = { method: 'GET', path: '/api/v1/pods?watch=true' };

/** Subscribes to a watch, and resolves when its first line has come. */
async function open(transport: RequestingTransport): Promise<{ readonly lines: () => string; readonly end: () => string; close(): void }> {
  let lines = '';
  let end = '';
  const subscription = transport.request(watch).subscribe({
    next: (event) => {
      if (event.type === 'data') lines += Buffer.from(event.chunk).toString();
    },
    error: (error: unknown) => (end = String(error)),
    complete: () => (end = 'complete'),
  });
  cleanups.push(() => subscription.unsubscribe());
  await until(() => lines !== '' || end !== '');
  return { lines: () => lines, end: () => end, close: () => subscription.unsubscribe() };
}

/** Answers each connection's first request by hand: 200, the body in a DATA frame with `flags`, then RST_STREAM with NO_ERROR. */
async function servedAndReset(body: string, flags: number): Promise<string> {
  const frame = (type: number, flagged: number, stream: number, payload = Buffer.alloc(0)) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flagged, 4);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  const data = frame(0, flags, 1, Buffer.from(body));
  const answer = Buffer.concat([frame(4, 1, 0), frame(1, 4, 1, Buffer.from([0x88])), data, frame(3, 0, 1, Buffer.alloc(4))]);
  const server = tls.createServer({ ...pki.server, ALPNProtocols: ['h2'] }, (socket) => {
    socket.on('error', () => undefined).write(frame(4, 0, 0));
    let seen = Buffer.alloc(0);
    let at = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
    socket.on('data', (bytes: Buffer) => {
      seen = Buffer.concat([seen, bytes]);
      for (; at + 9 <= seen.length; at += 9 + seen.readUIntBE(at, 3)) if (seen[at + 3] === 1) socket.write(answer);
    });
  });
  const port = await listen(server);
  cleanups.push(() => server.close());
  return `https://localhost:${port}`;
}

describe('nodeTransport over HTTP/2', () => {
  it('sends method, path, headers and body, and gives status, headers and bytes, inflated where they are compressed', async () => {
    const server = await serve((stream, headers, body) => {
      stream.respond({ ':status': 409, 'x-a': ['1', '2'], 'content-encoding': 'gzip' });
      stream.end(gzipSync(`${headers['authorization'] ?? ''} ${body} é`));
    });
    const [head, ...rest] = await collect(transportTo(`${server.url}/prefix`).request(post));
    expect(head).toEqual({ type: 'head', status: 409, headers: expect.objectContaining({ 'x-a': '1, 2' }) });
    expect(Buffer.concat(rest.map((event) => (event.type === 'data' ? event.chunk : Buffer.alloc(0)))).toString()).toBe(
      'Bearer t {"a":1} é',
    );
    expect(server.seen).toEqual(['POST /prefix/api/v1/pods {"a":1} by 0']);
  });

  it('escapes a path as over HTTP/1.1', async () => {
    const { url, seen } = await serve(ok);
    const transport = transportTo(`${url}/base`);
    await textOf(transport.request({ method: 'GET', path: '/api/v1/pods?labelSelector=app in (ä)' }));
    expect(seen).toEqual(['GET /base/api/v1/pods?labelSelector=app%20in%20(%C3%A4)  by 0']);
  });

  it('has one connection for all watches and requests', async () => {
    const { answer, streams } = watches();
    const server = await serve(answer);
    const transport = transportTo(server.url);
    const opened = await Promise.all(Array.from({ length: 50 }, () => open(transport)));
    await Promise.all(Array.from({ length: 20 }, () => textOf(transport.request(get))));
    for (const stream of streams) stream.end('last\n');
    await until(() => opened.every(({ end }) => end() === 'complete'));
    expect(opened.map(({ lines }) => lines())).toEqual(Array.from({ length: 50 }, () => 'line\nlast\n'));
    expect(server.sessions).toHaveLength(1);
  });

  it('opens another connection where the server takes no more requests on the first', async () => {
    const { answer } = watches();
    const server = await serve(answer, { maxConcurrentStreams: 2 });
    const transport = transportTo(server.url);
    for (let at = 0; at < 5; at += 1) await open(transport);
    await expect(textOf(transport.request(get))).resolves.toBe('ok');
    expect(server.sessions).toHaveLength(3);
  });

  it('neither loses nor doubles a request when the server says goodbye, and lets what is under way end', async () => {
    const { answer, streams } = watches();
    const server = await serve(answer);
    const transport = transportTo(server.url);
    const watching = await open(transport);
    const [first] = server.sessions;
    const sending = Array.from({ length: 30 }, (_, at) => textOf(transport.request({ ...post, body: String(at) })));
    first?.goaway(http2.constants.NGHTTP2_NO_ERROR);
    const later = Array.from({ length: 30 }, (_, at) => textOf(transport.request({ ...post, body: String(30 + at) })));
    await expect(Promise.all([...sending, ...later])).resolves.toHaveLength(60);
    const bodies = server.seen.flatMap((line) => /^POST \S+ (\d+) by/.exec(line)?.[1] ?? []);
    expect(bodies.map(Number).sort((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, at) => at));
    streams[0]?.end('last\n');
    await until(() => watching.end() !== '');
    expect([watching.lines(), watching.end()]).toEqual(['line\nlast\n', 'complete']);
  });

  it('sends again what the server has refused to look at, whatever it is, and gives up in the end', async () => {
    let refusals = 2;
    const server = await serve((stream, headers, body) => {
      if (refusals > 0) {
        refusals -= 1;
        stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      } else ok(stream, headers, body);
    });
    const transport = transportTo(server.url);
    await expect(textOf(transport.request(post))).resolves.toBe('ok');
    refusals = Infinity;
    await expect(textOf(transport.request(post))).rejects.toThrow('POST /api/v1/pods failed');
    expect(server.seen).toHaveLength(3 + 4);
  });

  it('does not send a write again of which it is not known what became of it', async () => {
    const server = await serve((stream) => stream.session?.destroy());
    const transport = transportTo(server.url);
    await expect(textOf(transport.request(post))).rejects.toThrow('POST /api/v1/pods failed');
    expect(server.seen).toHaveLength(1);
  });

  it('fails a watch whose connection breaks, and begins anew with the next one', async () => {
    const { answer } = watches();
    const server = await serve(answer);
    const transport = transportTo(server.url);
    const watching = await open(transport);
    server.sessions[0]?.destroy();
    await until(() => watching.end() !== '');
    expect(watching.end()).toContain('failed');
    await expect(textOf(transport.request(get))).resolves.toBe('ok');
    expect(server.sessions).toHaveLength(2);
  });

  it('is whole where the server ends the stream with NO_ERROR after the end of the body', async () => {
    const url = await servedAndReset('one\ntwo\n', 1);
    await expect(textOf(transportTo(url).request(get))).resolves.toBe('one\ntwo\n');
  });

  it('takes no JSON for whole that NO_ERROR has cut short', async () => {
    const object = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}';
    const clientTo = async (body: string) => {
      const client = createClient({ server: await servedAndReset(body, 0), ca: pki.ca, http2: true });
      cleanups.push(() => client.close());
      return client;
    };
    const listing = await clientTo(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[${object}`);
    await expect(listing.list(pods)).rejects.toMatchObject({ code: 'ERR_DECODE' });
    const getting = await clientTo(object.slice(0, -1));
    await expect(getting.get(pods, 'a', { namespace: 'n' })).rejects.toMatchObject({ code: 'ERR_DECODE' });
    const watching = await clientTo(`{"type":"ADDED","object":${object}}\n{"type":"DELETED","object":${object}`);
    const told = await collect(watching.watch(pods, {}));
    expect(told.flat().map(({ type }) => type)).toEqual(['ADDED']);
  });

  it('finds a connection that has gone silent by its pings, long before a watch would', async () => {
    const { answer } = watches();
    const server = await serve(answer);
    let silent = false;
    const proxy = net.createServer((near) => {
      const far = net.connect(server.port, 'localhost');
      near.on('data', (bytes) => silent || far.write(bytes)).on('error', () => far.destroy());
      far.on('data', (bytes) => silent || near.write(bytes)).on('error', () => near.destroy());
      near.on('close', () => far.destroy());
    });
    const port = await listen(proxy);
    cleanups.push(() => proxy.close());
    const transport = transportTo(`https://localhost:${port}`, { pingAfterMs: 40, pingTimeoutMs: 400 });
    const watching = await open(transport);
    silent = true;
    await until(() => watching.end() !== '');
    expect(watching.end()).toContain('no answer to a ping within 400 ms');
  });

  it('cancels what is unsubscribed from, and keeps the connection', async () => {
    const { answer, streams } = watches();
    const server = await serve(answer);
    const transport = transportTo(server.url);
    const watching = await open(transport);
    watching.close();
    await until(() => streams[0]?.closed === true);
    await expect(textOf(transport.request(get))).resolves.toBe('ok');
    expect(server.sessions).toHaveLength(1);
  });

  it('speaks HTTP/1.1 where the server does not offer more, and asks it once', async () => {
    const server = await startServer((_, response) => sendJson(response, { ok: true }), pki.server);
    cleanups.push(() => server.close());
    const transport = transportTo(server.url);
    for (let at = 0; at < 3; at += 1) await textOf(transport.request(get));
    // One connection is closed once the protocol of the server is known, and one is kept.
    expect(server.requests.map(({ connection }) => connection)).toEqual(Array.from({ length: 3 }, () => server.connections - 1));
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it('gives up connecting when it is closed', async () => {
    const silent = net.createServer();
    const accepted = once(silent, 'connection') as Promise<[net.Socket]>;
    const transport = transportTo(`https://localhost:${await listen(silent)}`, { connectTimeoutMs: 600_000 });
    cleanups.push(() => silent.close());
    const subscription = transport.request(get).subscribe();
    const [socket] = await accepted;
    subscription.unsubscribe();
    transport.close();
    await expect(once(socket.resume(), 'close')).resolves.toBeDefined();
  });

  it('fails when nobody listens, or the certificate is another one', async () => {
    const { port } = await serve(ok);
    await expect(textOf(transportTo('https://localhost:1').request(get))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const anonymous = { get: () => Promise.resolve({ headers: {}, tls: {} }) };
    await expect(textOf(transportTo(`https://localhost:${port}`, { credentials: anonymous }).request(get))).rejects.toThrow('certificate');
    await expect(textOf(transportTo(`https://localhost:${port}`).request(get))).resolves.toBe('ok');
  });
});
