import { brand } from '../../api/brand.js';
import { causesOf } from '../../api/errors/apiError.js';
import { foreignText } from '../../api/errors/foreignText.js';
import { messageOf } from '../../api/errors/informerError.js';

/** What a RequestError is made of. */
export interface RequestErrorInit {
  readonly code: string;
  readonly message: string;
  /** The request, for example `GET /api/v1/pods`. */
  readonly request?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A request without a usable answer: the connection or the credentials failed, the kubeconfig is wrong, or the answer did not come from an API server. Its
 * message never contains a token.
 *
 * `code` is the system's code where there is one (`ECONNREFUSED`, `ECONNRESET`, `CERT_HAS_EXPIRED`), else one of
 *
 * - `ERR_TIMEOUT`: connecting, or the whole request, exceeded its deadline.
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

/** The error of a kubeconfig that is missing or invalid. */
export function kubeconfigError(message: string): RequestError {
  return new RequestError({ code: 'ERR_KUBECONFIG', message });
}

/** The RequestError of a request without an answer. The message is that of `reason`, by default of the error itself. */
export function requestFailure(error: unknown, request: NamedRequest, reason: unknown = error): RequestError {
  if (error instanceof RequestError) return error;
  const name = requestName(request);
  const message = `${name} failed: ${redactedMessage(reason)}`;
  return new RequestError({ code: systemCode(error) ?? 'ERR_REQUEST', message, request: name });
}

interface NamedRequest {
  readonly method: string;
  readonly path: string;
}

/** How messages name a request: method and path, without the query. */
export function requestName(request: NamedRequest): string {
  return `${request.method} ${request.path.split('?', 1)[0] ?? ''}`;
}

/** The fields of errors. Errors of another realm (for example a test runner's) are not `instanceof` our Error. */
type ErrorLike = Readonly<Partial<Record<'name' | 'message' | 'code' | 'cause' | 'errors', unknown>>>;

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** The message of an error, without secrets. That of a JSON SyntaxError is not used, since it quotes the text. */
export function redactedMessage(error: unknown): string {
  if (!isErrorLike(error)) return foreignText(messageOf(error));
  const { name, message, errors } = error;
  if (name === 'SyntaxError') return 'malformed JSON';
  // An AggregateError, of connecting to each address of a host, has no message of its own.
  if (message === '' && Array.isArray(errors) && errors.length > 0) return redactedMessage(errors[0]);
  return foreignText(String(message));
}

/** The system's code of a failure: of the error, or of its cause. */
export function systemCode(error: unknown): string | undefined {
  return causesOf(error)
    .filter(isErrorLike)
    .map(({ code }) => code)
    .find((code) => typeof code === 'string');
}

/** The innermost cause: `fetch` puts the reason there. */
export function rootCause(error: unknown): unknown {
  return causesOf(error).findLast(isErrorLike) ?? error;
}

/** An error with a `code`, like those of the system. */
export function codedError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
