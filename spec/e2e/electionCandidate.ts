// One candidate of leaderElection.spec.ts, in a process of its own: node ... electionCandidate.ts <server> <identity>
//
// While it leads it writes, fenced, to one ConfigMap as fast as it can, through the client that is bound to its leadership. When its leadership is over it
// also does what a program must not: it writes what it has read before, through a client that is bound to nothing.
//
// It sends what it does to its parent, with the machine's monotonic clock, which all processes share.
import { isConflict } from '../../src/api/errors/apiError.js';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import type { V1Lease } from '../../src/api/kubernetes/coordinationV1.js';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { electLeader, LeaderElectionError, type Leadership } from '@rx-informer/controller';
import { electionTimes, type CandidateReport } from './electionTimes.js';

const [server = '', identity = ''] = process.argv.slice(2);
const configMaps = resources.core.v1.configmaps;
const namespace = 'default';

/** The clock that all processes of the machine share, in milliseconds. */
const clock = (): number => Number(process.hrtime.bigint()) / 1e6;
const report = (message: CandidateReport): void => {
  if (process.connected) process.send?.(message);
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let token = -1;

/** Reports when requests are handed to the network: those of the election with what came of them, and those of the work. */
function observed(client: KubeClient): KubeClient {
  const replace = async (...[resource, object, options]: Parameters<KubeClient['replace']>): Promise<unknown> => {
    const at = clock();
    if (resource.plural === 'configmaps') report({ type: 'request', identity, token, at });
    const written = await client.replace(resource, object, options);
    if (resource.plural === 'leases') reportLease(written, at);
    return written;
  };
  const create = async (...[resource, object, options]: Parameters<KubeClient['create']>): Promise<unknown> => {
    const at = clock();
    const written = await client.create(resource, object, options);
    if (resource.plural === 'leases') reportLease(written, at);
    return written;
  };
  return { ...client, replace, create } as KubeClient;
}

function reportLease(lease: V1Lease, sentAt: number): void {
  const { holderIdentity, leaseTransitions = 0 } = lease.spec ?? {};
  if (holderIdentity === identity) report({ type: 'renewed', identity, token: leaseTransitions, sentAt });
}

const base = createClient({ server, userAgent: identity });
const election = electLeader(observed(base), { lease: { namespace, name: 'elected' }, identity, ...electionTimes });

async function write(leadership: Leadership): Promise<V1ConfigMap> {
  const target = await leadership.client.get(configMaps, 'work', { namespace });
  const count = Number(target.data?.['count'] ?? 0) + 1;
  await leadership.client.replace(configMaps, leadership.fence({ ...target, data: { count: String(count) } }));
  return target;
}

/** Writes with an old token what was read long ago, past the leadership's client. */
async function writeStale(leadership: Leadership, target: V1ConfigMap): Promise<void> {
  try {
    await base.replace(configMaps, leadership.fence({ ...target, data: { count: 'stale' } }));
    report({ type: 'stale', identity, refusedBy: 'nobody' });
  } catch (error) {
    report({ type: 'stale', identity, refusedBy: isConflict(error) ? 'server' : String(error) });
  }
  // The fence refuses from the first write of a later leader on.
  while (process.connected) {
    try {
      leadership.fence(await base.get(configMaps, 'work', { namespace }));
    } catch (error) {
      if (!(error instanceof LeaderElectionError) || error.code !== 'ERR_FENCED') continue;
      report({ type: 'stale', identity, refusedBy: 'fence' });
      return;
    } finally {
      await pause(20);
    }
  }
}

async function work(leadership: Leadership): Promise<void> {
  ({ token } = leadership);
  report({ type: 'elected', identity, token, at: clock() });
  let last: V1ConfigMap | undefined;
  // Asks nobody whether it still leads: that is for the client to know.
  for (;;) {
    try {
      last = await write(leadership);
    } catch (error) {
      if (error instanceof LeaderElectionError) break;
    }
    await pause(5);
  }
  report({ type: 'over', identity, token, at: clock() });
  if (last !== undefined) void writeStale(leadership, last);
}

election.whileLeading(work).subscribe({ error: (error: unknown) => console.error(identity, error) });
report({ type: 'ready', identity });

/** The wall clock is set back, for everything in this process. */
function setBack(ms: number): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() - ms;
}

process.on('message', (message) => {
  if (message === 'setBack') setBack(3_600_000);
  if (message === 'stop') {
    void election.stop().then(() => {
      base.close();
      process.disconnect();
    });
  }
});
