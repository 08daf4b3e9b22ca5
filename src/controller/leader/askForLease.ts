import { isAlreadyExists, isConflict, isForbidden, isNotFound } from '../../api/errors/apiErrorPredicates.js';
import type { V1Lease } from '../../api/kubernetes/coordinationV1.js';
import type { KubeClient, RequestOptions } from '../../client/kubeClient.js';
import type { ElectionRequest } from './electionStep.js';
import { LeaderElectionError } from './leaderElectionError.js';
import { leases } from './leaseRecord.js';

/** What the server said about a lease. That another candidate was faster is no error. */
export type LeaseAnswer =
  | { readonly type: 'lease'; readonly lease: V1Lease }
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly error?: LeaderElectionError };

/** Reads or writes a lease. Never rejects. */
export async function askForLease(
  client: Pick<KubeClient, 'get' | 'create' | 'replace'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  request: ElectionRequest,
  requestOptions: RequestOptions,
): Promise<LeaseAnswer> {
  // Behind the requests of the controllers it would come too late, and these would be cut off for it.
  const options = { ...requestOptions, namespace, rateLimited: false };
  try {
    if (request.verb === 'get') return { type: 'lease', lease: await client.get(leases, name, options) };
    if (request.verb === 'create') return { type: 'lease', lease: await client.create(leases, request.lease, options) };
    return { type: 'lease', lease: await client.replace(leases, request.lease, options) };
  } catch (error) {
    if (request.verb === 'get' && isNotFound(error)) return { type: 'missing' };
    if (isConflict(error) || isAlreadyExists(error)) return { type: 'failed' };
    return { type: 'failed', error: leaseError(request.verb, { namespace, name }, error) };
  }
}

function leaseError(verb: string, lease: { readonly namespace: string; readonly name: string }, error: unknown): LeaderElectionError {
  const what = `the lease ${lease.namespace}/${lease.name}`;
  if (!isForbidden(error)) return new LeaderElectionError('ERR_REQUEST', `Could not ${verb} ${what}; it is tried again`, error);
  const needs = `it needs the verbs get, create and update of leases in the group coordination.k8s.io, in namespace ${lease.namespace}`;
  return new LeaderElectionError('ERR_FORBIDDEN', `This program may not ${verb} ${what}: ${needs}`, error);
}
