import { collectDefaultMetrics } from 'prom-client';
import { createClient } from 'rx-informer';
import { verification } from 'rx-informer/pipeline';
import { createManager } from '@rx-informer/controller/manager';
import { webSiteController } from './webSiteController.js';

// Memory, CPU time and the event loop of this process, in addition to the metrics of the manager.
collectDefaultMetrics();

// In a pod its service account, elsewhere your kubeconfig.
const client = createClient();
const manager = createManager({
  client,
  // A server that returns after an outage may have been restored from a backup, so the caches are compared with it.
  informers: { parts: [verification()] },
  leaderElection: { lease: { namespace: process.env['POD_NAMESPACE'] ?? 'default', name: 'my-operator' } },
  port: 8080,
  metrics: true,
});
manager.add('websites', webSiteController);
await manager.run();
client.close();
