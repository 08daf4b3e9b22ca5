// One candidate of leaderElection.spec.ts, in a process of its own: node ... electorProcess.ts <election as JSON>
//
// It says what happens to it, one JSON value a line, by the machine's monotonic clock, which all processes share. While it leads it asks the server for its
// lease again and again, through the client that is bound to its leadership, and says so before each request.
import { createClient, type KubeClient, resources } from 'rx-informer';
import { electLeader } from '@rx-informer/controller';
import type { Election } from './electors.js';

const { url, namespace, name, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs } = JSON.parse(process.argv[2] ?? '{}') as Election;
const say = (type: string): unknown => process.stdout.write(`${JSON.stringify({ type, at: Number(process.hrtime.bigint()) / 1e6 })}\n`);
const { leases } = resources.coordination.v1;

const client = createClient({ server: url, userAgent: identity });
const list: KubeClient['list'] = (...args) => {
  say('request');
  return client.list(...args);
};
const lease = { namespace, name };
const election = electLeader({ ...client, list }, { lease, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs });
election.leadership$.subscribe((leadership) => {
  if (leadership === undefined) return;
  say('elected');
  leadership.signal.addEventListener('abort', () => say('over'));
  const work = async (): Promise<void> => {
    while (leadership.isValid()) {
      await leadership.client.list(leases, { namespace }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  void work();
});
process.on('SIGTERM', () => void election.stop().then(() => process.exit(0)));
say('ready');
election.start();
