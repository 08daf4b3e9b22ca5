import { brand } from '../brand.js';
import type { Status } from './status.js';

/** What an ApiError is made of. */
export interface ApiErrorInit {
  /** The HTTP status code, or the code of a Status inside a watch. */
  readonly code: number;
  readonly message: string;
  readonly status?: Status | undefined;
  /** From the `Retry-After` header or the Status, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The request, for example `GET /api/v1/pods`: method and path, never a token. */
  readonly request?: string | undefined;
}

/**
 * A request that the API server answered with anything but success, or an ERROR event of a watch.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status code, for example 404. */
  readonly code: number;
  /** The reason of the Status, for example `NotFound`; `''` when there is none. */
  readonly reason: string;
  readonly status: Status | undefined;
  readonly retryAfterMs: number | undefined;
  readonly request: string | undefined;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.code = init.code;
    this.reason = init.status?.reason ?? '';
    this.status = init.status;
    this.retryAfterMs = init.retryAfterMs;
    this.request = init.request;
  }
}

brand(ApiError, 'ApiError');
