import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, of, timeout, timer } from 'rxjs';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { resources } from '../../src/api/resources.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { relaySource } from '@rx-informer/relay/client';
import { createRelay } from '@rx-informer/relay';
import { fakeCollection } from '@rx-informer/views/testing';
import { pod } from '../../src/testing/fakes/fixtures.js';

interface Proxy {
  readonly command: string;
  readonly args: (file: string) => readonly string[];
  /** The configuration of somebody who has set nothing for streams. */
  readonly config: (port: number, relay: number, folder: string, protocol: string) => string;
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    command: '/usr/sbin/nginx',
    args: (file) => ['-c', file],
    // Without TLS it speaks either of the two on one port.
    config: (port, relay, folder, protocol) => `
      daemon off; pid ${folder}/pid; error_log stderr;
      events {}
      http {
        access_log off; gzip on; gzip_types *; gzip_proxied any;
        client_body_temp_path ${folder}/1; proxy_temp_path ${folder}/2; fastcgi_temp_path ${folder}/3; uwsgi_temp_path ${folder}/4; scgi_temp_path ${folder}/5;
        server {
          listen 127.0.0.1:${port}${protocol === 'HTTP/2' ? ' http2' : ''};
          location / { proxy_pass http://127.0.0.1:${relay}; proxy_set_header Host $host; }
        }
      }`,
  },
  Caddy: {
    command: '/usr/bin/caddy',
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    config: (port, relay) => `
{
  admin off
  auto_https off
  servers {
    protocols h1 h2c
  }
}
http://127.0.0.1:${port} {
  encode gzip
  reverse_proxy 127.0.0.1:${relay}
}
`,
  },
};

function isInstalled({ command }: Proxy): boolean {
  try {
    execFileSync(command, [command.endsWith('nginx') ? '-v' : 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`${command} is not installed: its specs are skipped`);
    return false;
  }
}

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startProxy({ command, args, config }: Proxy, relay: number, protocol: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-proxy-'));
  const port = await freePort();
  const file = join(folder, 'config');
  await writeFile(file, config(port, relay, folder, protocol));
  const child = spawn(command, args(file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  open.push(async () => {
    const gone = once(child, 'close');
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await gone;
    await rm(folder, { recursive: true, force: true });
  });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen === true) return port;
    await firstValueFrom(timer(50), { defaultValue: 0 });
  }
  throw new Error(`${command} does not listen: ${said}`);
}

/** What browsers do over HTTP/2: all requests in streams of one connection. */
function fetchOverHttp2(origin: string): { readonly fetch: typeof fetch; readonly sessions: () => number } {
  let session: ClientHttp2Session | undefined;
  let sessions = 0;
  open.push(() => session?.destroy());
  return {
    sessions: () => sessions,
    fetch: async (_, init = {}) => {
      if (session === undefined || session.destroyed) {
        session = connectHttp2(origin);
        session.on('error', () => undefined);
        sessions += 1;
      }
      const { headers, body, method, signal } = init;
      const stream = session.request({ ':path': '/relay', ':method': method ?? 'GET', ...(headers as Record<string, string>) });
      signal?.addEventListener('abort', () => stream.destroy());
      stream.end(body as string);
      const [head] = (await once(stream, 'response')) as [Record<string, string>];
      const given = Object.entries(head).filter(([name, value]) => !name.startsWith(':') && typeof value === 'string');
      return new Response(Readable.toWeb(stream) as ReadableStream, {
        status: Number(head[':status']),
        headers: Object.fromEntries(given),
      });
    },
  };
}

const { pods } = resources.core.v1;

async function startRelay() {
  const cache = fakeCollection<KubernetesObject>(
    Array.from({ length: 2_000 }, (_, at) => pod(`p${at}`)),
    { name: 'pods' },
  );
  const services = fakeCollection<KubernetesObject>([pod('s')], { name: 'services' });
  const relay = createRelay({
    sources: { pods: { collection: cache, resource: pods }, services: { collection: services, resource: resources.core.v1.services } },
    authenticate: () => ({ name: 'ada' }),
    authorize: { review: () => of(true) },
  });
  const server = createServer((request, response) => relay.handle(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push(() => {
    relay.stop();
    server.closeAllConnections();
    server.close();
  });
  return { cache, services, relay, port: (server.address() as AddressInfo).port };
}

for (const [name, proxy] of Object.entries(proxies)) {
  (isInstalled(proxy) ? describe : describe.skip)(`a relay behind ${name}, with nothing set for streams`, () => {
    it.each(['HTTP/1.1', 'HTTP/2'])('brings changes at once over %s, all scopes in one stream', async (protocol) => {
      const { cache, services, relay, port: relayPort } = await startRelay();
      const port = await startProxy(proxy, relayPort, protocol);
      const url = `http://127.0.0.1:${port}/relay`;
      const over = protocol === 'HTTP/2' ? fetchOverHttp2(url) : undefined;
      const options = { fetch: over?.fetch };
      const followed = [
        createInformer(relaySource<KubernetesObject>(url, { kind: 'pods', ...options }), { resource: 'pods' }),
        createInformer(relaySource<KubernetesObject>(url, { kind: 'services', ...options }), { resource: 'services' }),
      ] as const;
      open.push(() => Promise.all(followed.map((informer) => informer.stop())));
      await Promise.all(followed.map((informer) => informer.whenSynced({ timeoutMs: 20_000 })));
      expect([followed[0].lister.list().length, followed[1].lister.list().length, relay.figures().streams]).toEqual([2_000, 1, 1]);
      // Far below the heartbeat, which would push out what a proxy holds back.
      for (const added of ['one', 'two', 'three']) {
        const seen = firstValueFrom(
          followed[0].change$.pipe(
            filter(() => followed[0].indexer.getByKey(`default/${added}`) !== undefined),
            timeout(5_000),
          ),
          { defaultValue: undefined },
        );
        cache.put(pod(added));
        services.put(pod(added));
        await seen;
      }
      expect(followed.map((informer) => informer.health().state)).toEqual(['watching', 'watching']);
      expect([relay.figures().streams, over?.sessions() ?? 1]).toEqual([1, 1]);
    });
  });
}
