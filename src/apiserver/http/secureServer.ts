import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';

/** What a server needs to speak HTTPS. Clients may show a certificate of the authority. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** As many requests as a server of Kubernetes takes on one connection. */
const maxConcurrentStreams = 250;

/** A response of HTTP/2 with the one member that it lacks of those that are used here. */
function completed(response: Http2ServerResponse): ServerResponse {
  const { stream } = response;
  Object.defineProperty(response, 'destroyed', { get: () => stream.destroyed });
  return response as unknown as ServerResponse;
}

/**
 * An HTTPS server that speaks HTTP/2 with clients that offer it, and HTTP/1.1 with all others, on one port. Requests and responses of HTTP/2 have the
 * members of those of HTTP/1.1.
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
