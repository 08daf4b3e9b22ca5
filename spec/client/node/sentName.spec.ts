import dns from 'node:dns';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, expect, it, jest } from '@jest/globals';
import { nodeTransport } from '../../../src/client/node/nodeTransport.js';
import { collect } from '../collect.js';
import { requesting } from '../requesting.js';
import { certificates } from './certificates.js';
import { startProxy, type SpecProxy } from './startProxy.js';

const pki = certificates();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  jest.restoreAllMocks();
});

/** A server that notes the names that it is sent, and ends each connection. */
async function serve(names: unknown[]): Promise<number> {
  const server = tls.createServer({ ...pki.server, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    names.push(socket.servername);
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** As a resolver that knows every name. */
function resolveAll(): void {
  const lookup = (_host: string, { all }: dns.LookupOptions, done: (error: null, address: unknown, family?: number) => void): void =>
    process.nextTick(() => (all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)));
  jest.spyOn(dns, 'lookup').mockImplementation(lookup as never);
}

// An API server, being of Go, refuses the handshake of a name with a dot at its end.
it.each([
  ['localhost.', 'localhost', 'directly', false, false],
  ['localhost.', 'localhost', 'over HTTP/2', true, false],
  ['localhost.', 'localhost', 'through a proxy', false, true],
  ['127.0.0.1', false, 'directly', false, false],
  ['127.0.0.1', false, 'over HTTP/2', true, false],
  ['127.0.0.1', false, 'through a proxy', false, true],
] as const)('a server at %s is sent the name %s %s', async (host, sent, _, asHttp2, isProxied) => {
  const proxy: SpecProxy | undefined = isProxied ? await startProxy() : undefined;
  cleanups.push(() => proxy?.close());
  const held = { headers: {}, tls: { ca: pki.ca }, proxy: proxy && { url: proxy.url } };
  const names: unknown[] = [];
  const server = `https://${host}:${await serve(names)}`;
  const transport = requesting(nodeTransport({ server, credentials: { get: () => Promise.resolve(held) }, http2: asHttp2 }));
  cleanups.push(() => transport.close());
  resolveAll();
  await expect(collect(transport.request({ method: 'POST', path: '/', body: '{}' }))).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(names).toEqual([sent]);
});
