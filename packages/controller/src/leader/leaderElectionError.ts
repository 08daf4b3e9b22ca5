import { brand } from 'rx-informer/internal';

/**
 * The kinds of failures in a leader election.
 *
 * - `ERR_FORBIDDEN`: the server does not let this program read or write the lease.
 * - `ERR_COORDINATED`: the control plane assigns the lease (`spec.strategy` is set), so candidates must not take it.
 * - `ERR_REQUEST`: any other failed request. It is retried.
 * - `ERR_LEADERSHIP_LOST`: the leadership is over; the request was not sent, or was aborted.
 * - `ERR_FENCED`: a later leader has written the object.
 * - `ERR_SHARDS`: the members of a group of shards use different values of `by`.
 * - `ERR_STALE`: the candidate holds the lease and has not renewed it in time.
 */
export type LeaderElectionErrorCode =
  'ERR_FORBIDDEN' | 'ERR_COORDINATED' | 'ERR_REQUEST' | 'ERR_LEADERSHIP_LOST' | 'ERR_FENCED' | 'ERR_SHARDS' | 'ERR_STALE';

/**
 * A failure of `electLeader`, or of a request that is bound to a leadership. Its `code` names the failure, its `cause` is the original error.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class LeaderElectionError extends Error {
  override readonly name = 'LeaderElectionError';
  readonly code: LeaderElectionErrorCode;

  constructor(code: LeaderElectionErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

brand(LeaderElectionError, 'LeaderElectionError');
