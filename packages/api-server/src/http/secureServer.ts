import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';

/** The TLS material of an HTTPS server. Clients may present a certificate of the authority. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** The same limit as a Kubernetes API server, for one connection. */
const maxConcurrentStreams = 250;

/** An HTTP/2 response with the one member of HTTP/1.1 that is used here and that it lacks. */
function completed(response: Http2ServerResponse): ServerResponse {
  const { stream } = response;
  Object.defineProperty(response, 'destroyed', { get: () => stream.destroyed });
  return response as unknown as ServerResponse;
}

/**
 * An HTTPS server that speaks HTTP/2 with clients that offer it, and HTTP/1.1 with all others, on one port. HTTP/2 requests and responses
 * get the members of HTTP/1.1 that this server uses.
 */
export function createTlsServer(
  { cert, key, ca }: TlsMaterial,
  answer: (incoming: IncomingMessage, response: ServerResponse) => void,
): Http2SecureServer {
  const options = { cert, key, ca, allowHTTP1: true, requestCert: true, rejectUnauthorized: false, settings: { maxConcurrentStreams } };
  return createSecureServer(options, (incoming: Http2ServerRequest, response: Http2ServerResponse) => {
    const isOld = incoming.httpVersionMajor < 2;
    answer(incoming as unknown as IncomingMessage, isOld ? (response as unknown as ServerResponse) : completed(response));
  });
}
