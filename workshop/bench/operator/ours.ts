// The operator of the benchmark with rx-informer: node ours.ts <url> <calls at once> <children or applyObject>. A message ends it.
import { createClient, resources, type V1Deployment, type V1Service } from 'rx-informer';
import { applyObject, applyStatus, isBeingDeleted } from '@rx-informer/controller';
import { type Controller, createManager } from '@rx-informer/controller/manager';
import { type WebSite, websites } from './webSites.js';

const [url = '', concurrent = '1', how = 'children'] = process.argv.slice(2);
const { deployments } = resources.apps.v1;
const { services } = resources.core.v1;
const count = { reconciles: 0, failures: 0 };

function desired({ metadata: { name = '', namespace = '' } = {}, spec: { image, replicas } }: WebSite): readonly [V1Deployment, V1Service] {
  const labels = { 'app.kubernetes.io/name': name };
  const metadata = { name, namespace, labels };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'site', image }] } };
  return [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas, selector: { matchLabels: labels }, template } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 80, protocol: 'TCP' }] } },
  ];
}

const controller: Controller = ({ name: fieldManager, client, informer, children, reconcile }) => {
  const sites = informer(websites);
  const ownDeployments = informer(deployments);
  const ownServices = informer(services);
  const serve = async (key: string): Promise<void> => {
    const site = sites.lister.get(key);
    if (site === undefined || isBeingDeleted(site)) return;
    if (how === 'children') {
      await children(site, desired(site));
    } else {
      const [deployment, service] = desired(site);
      const given = { fieldManager, owner: site };
      await applyObject(client, deployments, deployment, { ...given, current: ownDeployments });
      await applyObject(client, services, service, { ...given, current: ownServices });
    }
    const readyReplicas = ownDeployments.lister.get(key)?.status?.readyReplicas ?? 0;
    const observedGeneration = site.metadata?.generation ?? 0;
    if (site.status?.readyReplicas === readyReplicas && site.status.observedGeneration === observedGeneration) return;
    await applyStatus(client, websites, { ...site, status: { readyReplicas, observedGeneration } }, { fieldManager, current: site });
  };
  return reconcile({
    for: websites,
    owns: [deployments, services],
    concurrent: Number(concurrent),
    reconcile: async ({ key }) => {
      count.reconciles += 1;
      try {
        await serve(key);
      } catch (error) {
        count.failures += 1;
        throw error;
      }
    },
  });
};

const before = process.cpuUsage();
const client = createClient({ server: url, userAgent: 'operator' });
const manager = createManager({ client, process: false, logger: { info: () => undefined, error: () => undefined } });
manager.add('operator', controller);
process.once('disconnect', () => process.exit());
const ended = manager.run();
process.once('message', () => void manager.stop());
const { error } = await ended;
client.close();
if (error !== undefined) throw error;
const { user, system } = process.cpuUsage(before);
process.send?.({ ...count, cpuMs: (user + system) / 1_000, maxRssMb: process.resourceUsage().maxRSS / 1_024 });
process.disconnect();
