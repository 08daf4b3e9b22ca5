import { redactedMessage, systemCode } from '../auth/redact.js';
import { RequestError } from './requestError.js';
import type { TransportRequest } from './transport.js';

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
