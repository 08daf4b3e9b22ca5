import { brand } from '../../api/brand.js';

/**
 * What went wrong in a leader election.
 *
 * - `ERR_FORBIDDEN`: the server does not let this program read or write the lease.
 * - `ERR_COORDINATED`: the control plane hands the lease out (`spec.strategy` is set), so candidates must not take it.
 * - `ERR_REQUEST`: any other request that failed. It is tried again.
 * - `ERR_LEADERSHIP_LOST`: the leadership is over; the request was not sent, or was cut off.
 * - `ERR_FENCED`: a later leader has written to the object.
 * - `ERR_SHARDS`: the members of a group of shards do not agree on what they shard by.
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
