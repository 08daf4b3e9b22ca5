import { isForbidden } from '../../api/errors/apiErrorPredicates.js';
import { LeaderElectionError } from '../leader/leaderElectionError.js';

/** What a failed request for the leases of a group is reported as. */
export function shardError(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  cause: unknown,
): LeaderElectionError {
  const what = `the leases of ${namespace}/${name}`;
  if (!isForbidden(cause)) return new LeaderElectionError('ERR_REQUEST', `Could not read or write ${what}; it is tried again`, cause);
  const needs = `it needs the verbs get, list, create, update and delete of leases in the group coordination.k8s.io, in namespace ${namespace}`;
  return new LeaderElectionError('ERR_FORBIDDEN', `This program may not use ${what}: ${needs}`, cause);
}
