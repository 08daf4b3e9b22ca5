import { createClient } from 'rx-informer';
import { createManager } from 'rx-informer/manager';
import { webSiteController } from './webSiteController.js';

// In a pod its service account, elsewhere your kubeconfig.
const client = createClient();
const manager = createManager({
  client,
  leaderElection: { lease: { namespace: process.env['POD_NAMESPACE'] ?? 'default', name: 'my-operator' } },
  port: 8080,
  metrics: true,
});
manager.add('websites', webSiteController);
await manager.run();
client.close();
