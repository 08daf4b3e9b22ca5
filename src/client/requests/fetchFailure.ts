import { type RequestError, requestFailure, rootCause } from './requestError.js';
import type { TransportRequest } from './transport.js';

/** A request of `fetch` that has failed. */
export interface FailedFetch {
  readonly error: unknown;
  readonly request: TransportRequest;
  readonly server: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Whether the answer's headers had arrived. */
  readonly isAnswered: boolean;
}

/** Reports why a request failed. */
export function fetchFailure({ error, request }: FailedFetch, fail: (failure: RequestError) => void): void {
  fail(requestFailure(error, request, rootCause(error)));
}
