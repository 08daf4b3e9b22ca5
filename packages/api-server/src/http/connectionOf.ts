import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/** The connection that a request came over. */
export interface RequestConnection {
  /** Ends it from this side. HTTP/2 has no half-closed connections: the whole connection ends. */
  end(): void;
  destroy(): void;
}

/** The connection of a request; in HTTP/2, all requests of a client share it. */
export function connectionOf(incoming: IncomingMessage): RequestConnection {
  if (incoming.httpVersionMajor < 2) return { end: () => incoming.socket.end(), destroy: () => incoming.socket.destroy() };
  const { session } = (incoming as unknown as Http2ServerRequest).stream;
  const destroy = (): void => session?.destroy();
  return { end: destroy, destroy };
}
