import type { SchedulerLike } from 'rxjs';
import type { V1Lease } from '../../api/kubernetes/coordinationV1.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { dateOf } from '../../rx/dateOf.js';
import { askForLease } from './askForLease.js';
import type { LeaderElectionError } from './leaderElectionError.js';
import { leaseOfNobody, recordOf } from './leaseRecord.js';

/** Whose lease is to be given back, and how long that may take. */
export interface Release {
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  readonly withinMs: number;
  readonly scheduler: SchedulerLike;
}

/**
 * Gives a lease back if it still is this candidate's, which only a read can say: that of another holder is never touched. Conflicts are tried again.
 *
 * @returns the lease as it is now; the error; or undefined when there was nothing to give back.
 */
export async function releaseLease(
  client: Pick<KubeClient, 'get' | 'create' | 'replace'>,
  { lease, identity, withinMs, scheduler }: Release,
): Promise<V1Lease | LeaderElectionError | undefined> {
  const until = scheduler.now() + withinMs;
  for (let leftMs = withinMs; leftMs > 0; leftMs = until - scheduler.now()) {
    const found = await askForLease(client, lease, { verb: 'get' }, { timeoutMs: leftMs });
    if (found.type !== 'lease') return found.type === 'failed' ? found.error : undefined;
    if (recordOf(found.lease).holder !== identity) return undefined;
    const nobodys = leaseOfNobody(found.lease, dateOf(scheduler));
    const written = await askForLease(client, lease, { verb: 'update', lease: nobodys }, { timeoutMs: leftMs });
    if (written.type === 'lease') return written.lease;
    if (written.type === 'missing' || written.error !== undefined) return written.type === 'missing' ? undefined : written.error;
  }
  return undefined;
}
