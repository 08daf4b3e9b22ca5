import type { Observable } from 'rxjs';
import { withCredentials } from '../../src/client/requests/requester.js';
import type { Transport, TransportEvent, TransportRequest } from '../../src/client/requests/transport.js';

export interface RequestingTransport extends Transport {
  request(this: void, request: TransportRequest): Observable<TransportEvent>;
}

/**
 * A transport, and how a client sends a request over it: with the transport's credentials.
 */
export function requesting(transport: Transport): RequestingTransport {
  return { ...transport, request: withCredentials(transport) };
}
