import { brand } from '../../api/brand.js';
import type { TransportRequest } from './transport.js';
import { foreignText } from '../../api/errors/foreignText.js';

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
 * - `ERR_CORS`: the server answers, but has no CORS headers that let this page read it.
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

/** What is said of a request that brought no answer, in the words of `telling`, which may be what lies behind the error. */
export function requestFailure(error: unknown, request: TransportRequest, telling: unknown = error): RequestError {
  if (error instanceof RequestError) return error;
  const name = requestName(request);
  const message = `${name} failed: ${redactedMessage(telling)}`;
  return new RequestError({ code: systemCode(error) ?? 'ERR_REQUEST', message, request: name });
}

/** A request as messages name it: method and path, without the query. */
export function requestName(request: { readonly method: string; readonly path: string }): string {
  return `${request.method} ${request.path.split('?', 1)[0] ?? ''}`;
}

/** The fields that errors have; those of another realm (a test runner's, for example) are no instances of our Error. */
type ErrorLike = Readonly<Partial<Record<'name' | 'message' | 'code' | 'cause' | 'errors', unknown>>>;

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** What an error says, without secrets. The parser of JSON quotes what it could not parse, so its words are not used. */
export function redactedMessage(error: unknown): string {
  if (!isErrorLike(error)) return foreignText(String(error));
  const { name, message, errors } = error;
  if (name === 'SyntaxError') return 'malformed JSON';
  // Connecting to each of a host's addresses fails with all failures, and no word of its own.
  if (message === '' && Array.isArray(errors) && errors.length > 0) return redactedMessage(errors[0]);
  return foreignText(String(message));
}

/** The system's code of a failure, of the error itself or what caused it. */
export function systemCode(error: unknown): string | undefined {
  if (!isErrorLike(error)) return undefined;
  return typeof error.code === 'string' ? error.code : systemCode(error.cause);
}

/** The innermost error: `fetch` says what happened in the cause of its own error. */
export function rootCause(error: unknown): unknown {
  return isErrorLike(error) && isErrorLike(error.cause) ? rootCause(error.cause) : error;
}

/** An error with a code, as those of the system have one. */
export function codedError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
