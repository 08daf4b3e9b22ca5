// The server of the benchmark, the author of its churn, and the judge of the end: node server.ts <parents> <changes>. A message begins.
import type { KubernetesObject, V1Deployment } from 'rx-informer';
import { createApiServer } from '../../../packages/api-server/src/createApiServer.js';
import { definition, type WebSite } from './webSites.js';

const [parents = 0, changes = 0] = process.argv.slice(2).map(Number);
/** The kinds that the operator watches. */
const kinds = 3;
const changesAtOnce = 10;
/** Where the operator sends nothing for so long, it may be done. */
const quietMs = 300;
const verbs: Record<string, number> = {};
let lastAt = 0;
const server = await createApiServer({
  hooks: {
    beforeRequest: ({ incoming, verb, target }) => {
      if (incoming.headers['user-agent'] !== 'operator' || !('resource' in target) || ['list', 'watch'].includes(verb)) return false;
      verbs[verb] = (verbs[verb] ?? 0) + 1;
      lastAt = performance.now();
      return false;
    },
  },
});
const { objects } = server;
objects.put(definition);

const site = { apiVersion: 'example.com/v1', kind: 'WebSite' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const service = { apiVersion: 'v1', kind: 'Service' };
const inDefault = { namespace: 'default' };
const nameOf = (at: number): string => `site-${at}`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function create(at: number): void {
  const host = `${nameOf(at)}.example.com`;
  const created: WebSite = { ...site, metadata: { name: nameOf(at), ...inDefault }, spec: { host, image: 'nginx:1', replicas: 2 } };
  objects.put(created);
}

/** One change of a user, of another controller, or of somebody who meddles. */
function change(at: number): void {
  const name = nameOf((at * 7) % parents);
  const found = objects.get({ ...site, metadata: { name, ...inDefault } }) as unknown as WebSite;
  const child = objects.get({ ...deployment, metadata: { name, ...inDefault } }) as V1Deployment | undefined;
  if (at % 2 === 0) objects.put({ ...found, spec: { ...found.spec, replicas: (at % 5) + 1 } } as KubernetesObject);
  else if (child?.spec === undefined) return;
  else if (at % 8 === 1) objects.delete({ ...deployment, metadata: { name, ...inDefault } });
  else if (at % 8 === 3) objects.put({ ...child, spec: { ...child.spec, replicas: 9 } } as KubernetesObject);
  else objects.put({ ...child, status: { replicas: at % 5, readyReplicas: at % 5 } } as KubernetesObject);
}

function isConverged(): boolean {
  const services = objects.list(service, 'default').length - 1;
  const byName = new Map((objects.list(deployment, 'default') as readonly V1Deployment[]).map((each) => [each.metadata?.name, each]));
  const sites = objects.list(site, 'default') as unknown as readonly WebSite[];
  const isServed = ({ metadata, spec, status }: WebSite): boolean => {
    const child = byName.get(metadata?.name);
    const isSeen = status?.observedGeneration === metadata?.generation && status?.readyReplicas === (child?.status?.readyReplicas ?? 0);
    return isSeen && child?.spec?.replicas === spec.replicas;
  };
  return services === parents && sites.every(isServed);
}

process.once('message', () => {
  void (async () => {
    while (server.cluster.watches.size < kinds) await pause(10);
    const begun = performance.now();
    const before = process.cpuUsage();
    for (let at = 0; at < parents; at += 1) create(at);
    for (let at = 0; at < changes; at += changesAtOnce) {
      for (let each = at; each < at + changesAtOnce; each += 1) change(each);
      await pause(10);
    }
    // The look costs more than a request, so it waits for silence. What comes after the end would be too much.
    for (let looked = 0; ;) {
      await pause(quietMs / 3);
      if (performance.now() - lastAt < quietMs || looked === lastAt) continue;
      looked = lastAt;
      if (isConverged()) break;
    }
    const { user, system } = process.cpuUsage(before);
    const convergeMs = lastAt - begun;
    process.send?.({
      convergeMs,
      serverCpuMs: (user + system) / 1_000,
      requests: Object.values(verbs).reduce((sum, each) => sum + each, 0),
      ...verbs,
    });
  })();
});
process.on('disconnect', () => process.exit());
process.send?.(server.url);
