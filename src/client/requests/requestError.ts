import { brand } from '../../api/brand.js';

/** What a RequestError is made of. */
export interface RequestErrorInit {
  readonly code: string;
  readonly message: string;
  /** The request, for example `GET /api/v1/pods`. */
  readonly request?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A request that brought no usable answer: the connection failed, the credentials could not be had, the kubeconfig is wrong, or something else
 * than an API server answered. Its message never holds a token.
 *
 * `code` is the system's code where there is one (`ECONNREFUSED`, `ECONNRESET`, `CERT_HAS_EXPIRED`), else one of
 *
 * - `ERR_TIMEOUT`: connecting, or the whole request, took too long.
 * - `ERR_CREDENTIALS`: the token, certificate or credential plugin failed.
 * - `ERR_KUBECONFIG`: a kubeconfig file, context, cluster or user is missing or wrong.
 * - `ERR_CONTENT_TYPE`: the answer has another content type than JSON, for example a login page.
 * - `ERR_DECODE`: the answer is not the JSON that was expected.
 * - `ERR_CLOSED`: the client was closed.
 * - `ERR_REQUEST`: any other failure.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: string;
  readonly request: string | undefined;

  constructor(init: RequestErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.request = init.request;
  }
}

brand(RequestError, 'RequestError');
