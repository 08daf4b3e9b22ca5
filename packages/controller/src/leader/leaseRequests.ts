import { isAlreadyExists, isConflict, isForbidden, isNotFound, type KubeClient, type V1Lease } from 'rx-informer';
import { dateOf, type RequestOptions } from 'rx-informer/internal';
import type { ElectionRequest } from './electionStep.js';
import { LeaderElectionError } from './leaderElectionError.js';
import type { LeaderElectionSettings } from './leaderElectionOptions.js';
import { leaseOfNobody, leases, recordOf } from './leaseRecord.js';

/** The server's answer about a lease. A conflict with another candidate is not an error. */
type LeaseAnswer =
  | { readonly type: 'lease'; readonly lease: V1Lease }
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly error?: LeaderElectionError };

/** Reads or writes a lease. Never rejects. */
export async function askForLease(
  client: Pick<KubeClient, 'get' | 'create' | 'replace'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  request: ElectionRequest,
  requestOptions: RequestOptions,
  next: string = triedAgain,
): Promise<LeaseAnswer> {
  // Queued behind other requests, a renewal might miss its deadline.
  const options = { ...requestOptions, namespace, rateLimited: false };
  try {
    if (request.verb === 'get') return { type: 'lease', lease: await client.get(leases, name, options) };
    if (request.verb === 'create') return { type: 'lease', lease: await client.create(leases, request.lease, options) };
    return { type: 'lease', lease: await client.replace(leases, request.lease, options) };
  } catch (error) {
    if (request.verb === 'get' && isNotFound(error)) return { type: 'missing' };
    if (isConflict(error) || isAlreadyExists(error)) return { type: 'failed' };
    return {
      type: 'failed',
      error: leaseError(error, `${request.verb} the lease ${namespace}/${name}`, namespace, 'get, create and update', next),
    };
  }
}

const triedAgain = 'it is tried again';

/** The error of a failed request for leases. `verbs` names the rights that the program needs, `next` says what happens now. */
export function leaseError(
  cause: unknown,
  attempted: string,
  namespace: string,
  verbs: string,
  next: string = triedAgain,
): LeaderElectionError {
  if (!isForbidden(cause)) return new LeaderElectionError('ERR_REQUEST', `Could not ${attempted}; ${next}`, cause);
  const needs = `it needs the verbs ${verbs} of leases in the group coordination.k8s.io, in namespace ${namespace}`;
  return new LeaderElectionError('ERR_FORBIDDEN', `This program may not ${attempted}: ${needs}`, cause);
}

/**
 * Reads the lease, and releases it if this candidate still holds it. Conflicts are retried.
 *
 * @returns the lease after that; the error; or undefined when there was nothing to release.
 */
export async function releaseLease(
  client: Pick<KubeClient, 'get' | 'create' | 'replace'>,
  { lease, identity, scheduler }: LeaderElectionSettings,
  withinMs: number,
): Promise<V1Lease | LeaderElectionError | undefined> {
  const until = scheduler.now() + withinMs;
  const next = 'it is not released, and ends by itself';
  for (let leftMs = withinMs; leftMs > 0; leftMs = until - scheduler.now()) {
    const found = await askForLease(client, lease, { verb: 'get' }, { timeoutMs: leftMs }, next);
    if (found.type !== 'lease') return found.type === 'failed' ? found.error : undefined;
    if (recordOf(found.lease).holder !== identity) return undefined;
    const nobodys = leaseOfNobody(found.lease, dateOf(scheduler));
    const written = await askForLease(client, lease, { verb: 'update', lease: nobodys }, { timeoutMs: leftMs }, next);
    if (written.type === 'lease') return written.lease;
    if (written.type === 'failed' && written.error !== undefined) return written.error;
  }
  return undefined;
}
