// The server of compression.ts in a process of its own, over TLS as API servers are: pods in pages, and a watch whose every event is flushed. With gzip as Kubernetes sends it: level 1 for lists, one
// member for each flush of a watch. All answers are made before the measurement.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { podJson, podNames } from '../realisticPod.js';

const [podCount = 20_000, eventCount = 20_000] = process.argv.slice(2).map(Number);
const pageSize = 500;
const names = podNames(podCount);
const compressed = (text: string): Buffer => gzipSync(text, { level: 1 });

const pages = Array.from({ length: Math.ceil(podCount / pageSize) }, (_, page) => {
  const items = names.slice(page * pageSize, (page + 1) * pageSize).map((name, at) => podJson(name, 0, page * pageSize + at + 1, true));
  const next = (page + 1) * pageSize < podCount ? `,"continue":"${page + 1}"` : '';
  return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"${podCount}"${next}},"items":[${items.join(',')}]}`;
});
const events = Array.from({ length: eventCount }, (_, at) => {
  const name = names[(at * 7) % podCount];
  return name === undefined ? '' : `{"type":"MODIFIED","object":${podJson(name, at + 1, podCount + at + 1, true)}}\n`;
});
const packed = { pages: pages.map(compressed), events: events.map(compressed) };
const plain = { pages: pages.map((page) => Buffer.from(page)), events: events.map((event) => Buffer.from(event)) };

async function watch(answer: ServerResponse, lines: readonly Buffer[]): Promise<void> {
  answer.flushHeaders();
  for (const line of lines) {
    if (!answer.write(line)) await once(answer, 'drain');
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const made = execFileSync('openssl', 'req -x509 -newkey rsa:2048 -nodes -keyout - -out - -days 1 -subj /CN=localhost'.split(' '), {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const server = https.createServer({ key: made, cert: made }, (request, answer) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
  // By the path, because clients ask for watches without compression.
  const gzip = pathname.startsWith('/gzip/');
  const bodies = gzip ? packed : plain;
  answer.setHeader('content-type', 'application/json');
  if (gzip) answer.setHeader('content-encoding', 'gzip');
  if (searchParams.get('watch') === 'true') void watch(answer, bodies.events);
  else answer.end(bodies.pages[Number(searchParams.get('continue') ?? '0')]);
});
server.listen(0, '127.0.0.1', () => {
  const bytes = (of: readonly Buffer[]): number => of.reduce((sum, { length }) => sum + length, 0);
  const sizes = [plain, packed].map(({ pages, events }) => ({ list: bytes(pages), watch: bytes(events) }));
  process.send?.({ port: (server.address() as AddressInfo).port, sizes });
});
process.on('disconnect', () => process.exit());
