import type { V1Lease } from '../../api/kubernetes/coordinationV1.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { dateOf } from '../../rx/dateOf.js';
import { askForLease } from './askForLease.js';
import type { LeaderElectionError } from './leaderElectionError.js';
import type { LeaderElectionSettings } from './leaderElectionOptions.js';
import { leaseOfNobody, recordOf } from './leaseRecord.js';

/**
 * Gives a lease back if it still is this candidate's, which only a read can say: that of another holder is never touched. Conflicts are tried again.
 *
 * @returns the lease as it is now; the error; or undefined when there was nothing to give back.
 */
export async function releaseLease(
  client: Pick<KubeClient, 'get' | 'create' | 'replace'>,
  { lease, identity, renewDeadlineMs, scheduler }: LeaderElectionSettings,
): Promise<V1Lease | LeaderElectionError | undefined> {
  const until = scheduler.now() + renewDeadlineMs;
  for (let leftMs = renewDeadlineMs; leftMs > 0; leftMs = until - scheduler.now()) {
    const found = await askForLease(client, lease, { verb: 'get' }, { timeoutMs: leftMs });
    if (found.type !== 'lease') return found.type === 'failed' ? found.error : undefined;
    if (recordOf(found.lease).holder !== identity) return undefined;
    const nobodys = leaseOfNobody(found.lease, dateOf(scheduler));
    const written = await askForLease(client, lease, { verb: 'update', lease: nobodys }, { timeoutMs: leftMs });
    if (written.type === 'lease') return written.lease;
    if (written.type === 'failed' && written.error !== undefined) return written.error;
  }
  return undefined;
}
