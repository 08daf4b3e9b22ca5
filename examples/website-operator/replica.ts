// One replica of the operator: node ... replica.ts [server]. Without a server it uses the cluster of the kubeconfig, or the cluster in
// which it runs.
import { createClient } from 'rx-informer';
import type { Outcome } from '@rx-informer/controller';
import { createManager } from '@rx-informer/controller/manager';
import { type NameServer, webSiteController } from './webSiteController.js';

const [server] = process.argv.slice(2);
const name = process.env['HOSTNAME'] ?? `replica-${String(process.pid)}`;
const say = (line: string): void => console.log(`${name}: ${line}`);

/** A name server that only logs. */
const nameServer: NameServer = {
  register: async (host) => say(`names: ${await Promise.resolve(host)} is registered`),
  unregister: async (host) => say(`names: ${await Promise.resolve(host)} is free again`),
};

function tell(outcome: Outcome): void {
  if (outcome.type === 'started') say(`${outcome.key}: ${outcome.reasons.map(({ source, cause }) => `${source} ${cause}`).join(', ')}`);
}

const client = server === undefined ? createClient() : createClient({ server });
const manager = createManager({
  client,
  // A server on the command line is the one of the demonstration, which uses short timeouts.
  leaderElection: {
    lease: { namespace: 'default', name: 'website-operator' },
    identity: name,
    ...(server !== undefined && { leaseDurationMs: 2_000, renewDeadlineMs: 1_400, retryPeriodMs: 200 }),
  },
  port: server === undefined ? 8080 : 0,
  logger: { info: say, error: say },
});
manager.add('website-operator', webSiteController({ nameServer, tell }));
await manager.run();
client.close();
