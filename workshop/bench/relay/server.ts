/**
 * The servers of `npm run bench -- relay`, controlled by the parent process. The relay has fake informers, so that its own cost is measured
 * alone. With `direct`, the server is a minimal Kubernetes API server for browsers that watch without a relay: it serializes each event
 * once, and writes it to all watchers.
 */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { of } from 'rxjs';
import { type KubernetesObject, resources } from 'rx-informer';
import { createRelay } from '@rx-informer/relay';
import { fakeCollection } from '@rx-informer/views/testing';
import { podJson, podNames } from '../realisticPod.js';

export interface ServerFigures {
  readonly rssMb: number;
  readonly longestBlockMs: number;
  readonly cpuMs: number;
  readonly sent: number;
  readonly events: number;
}

const podCount = Number(process.argv[2]);
const isDirect = process.argv[3] === 'direct';
const { pods, services } = resources.core.v1;
const { deployments } = resources.apps.v1;
const small = (kind: string): KubernetesObject[] =>
  Array.from({ length: 500 }, (_, at) => ({
    apiVersion: 'v1',
    kind,
    metadata: { namespace: `ns-${at % 50}`, name: `${kind}-${at}`, uid: `${kind}${at}`, resourceVersion: '1' },
  }));

const made = podNames(podCount).map(
  (name) => JSON.parse(podJson(name, 0, name.at + 1, true)) as KubernetesObject & { readonly status: object },
);
const cache = fakeCollection<KubernetesObject>(isDirect ? [] : made, { name: 'pods' });
const relay = createRelay({
  sources: {
    pods: { collection: cache, resource: pods },
    deployments: { collection: fakeCollection(small('Deployment'), { name: 'deployments' }), resource: deployments },
    services: { collection: fakeCollection(small('Service'), { name: 'services' }), resource: services },
  },
  authenticate: ({ headers }) => ({ name: headers.get('x-user') ?? 'nobody' }),
  authorize: { review: () => of(true) },
  limits: { streamsPerUser: 2_000 },
});
const watchers = new Set<ServerResponse>();
let sentDirectly = 0;

/** Answers a list or a watch of pods; the other kinds have no events. */
const answer: RequestListener = ({ url = '' }, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  if (!url.includes('watch=')) {
    const items = url.includes('/pods') ? made : [];
    response.end(JSON.stringify({ kind: 'List', metadata: { resourceVersion: String(version) }, items }));
    return;
  }
  response.flushHeaders();
  if (!url.includes('/pods')) return;
  watchers.add(response);
  response.on('close', () => watchers.delete(response));
};

function tellWatchers(object: KubernetesObject): void {
  const line = Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
  for (const watcher of watchers) watcher.write(line);
  sentDirectly += line.length * watchers.size;
}

const server = createServer(isDirect ? answer : (request, response) => relay.handle(request, response));
/** The longest CPU time between two turns of the event loop; it excludes the time in which other processes use the processor. */
let [longestBlockMs, usedBefore] = [0, 0];
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
setInterval(() => {
  const used = cpuMs();
  longestBlockMs = Math.max(longestBlockMs, used - usedBefore);
  usedBefore = used;
}, 1);
let [events, version, timer] = [0, 1_000_000, undefined as NodeJS.Timeout | undefined];

/** Makes this many changes per second: each sets the time of the change in a pod's status, from which pages compute the delay. */
function change(perSecond: number): void {
  clearInterval(timer);
  if (perSecond === 0) return;
  timer = setInterval(() => {
    for (let count = 0; count < perSecond / 50; count += 1) {
      const at = Math.floor(Math.random() * made.length);
      const pod = made[at] as (typeof made)[number];
      version += 1;
      events += 1;
      const next = {
        ...pod,
        metadata: { ...pod.metadata, resourceVersion: String(version) },
        status: { ...pod.status, message: `t=${performance.timeOrigin + performance.now()}` },
      };
      made[at] = next;
      if (isDirect) tellWatchers(next);
      else cache.put(next);
    }
  }, 20);
}

function figures(): ServerFigures {
  const longest = longestBlockMs;
  (globalThis as { gc?: () => void }).gc?.();
  const result = {
    rssMb: process.memoryUsage().rss / 1e6,
    longestBlockMs: longest,
    cpuMs: cpuMs(),
    sent: isDirect ? sentDirectly : relay.figures().sent,
    events,
  };
  // Excludes the garbage collection above, which blocks the event loop.
  usedBefore = cpuMs();
  longestBlockMs = 0;
  return result;
}

process.on('message', (message: { readonly do: 'figures' } | { readonly do: 'change'; readonly perSecond: number }) => {
  if (message.do === 'change') change(message.perSecond);
  process.send?.(message.do === 'figures' ? figures() : {});
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
