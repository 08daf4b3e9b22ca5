// Measures node:http alone under the load of apiServer.ts: every write gets the same answer, and every watcher the same event.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const metadata = {
  name: 'c-100',
  namespace: 'default',
  uid: '00000000-0000-4000-8000-000000000000',
  resourceVersion: '100000',
  creationTimestamp: '',
};
const object = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { filling: 'x'.repeat(300), count: '100000' } });
const answer = Buffer.from(object);
const event = Buffer.from(`{"type":"MODIFIED","object":${object}}\n`);
const headers = { 'content-type': 'application/json', 'content-length': answer.length };
const watchers = new Set<ServerResponse>();
let cpuBefore = process.cpuUsage();

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200).flushHeaders();
    watchers.add(response);
    response.once('close', () => watchers.delete(response));
    return;
  }
  request.resume().once('end', () => {
    response.writeHead(request.method === 'POST' ? 201 : 200, headers).end(answer);
    for (const watcher of watchers) watcher.write(event);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.on('message', (question: string) => {
  const { user, system } = process.cpuUsage(cpuBefore);
  if (question === 'reset') cpuBefore = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1e3 });
});
process.on('disconnect', () => process.exit());
process.send?.((server.address() as AddressInfo).port);
