import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/** The connection that a request came over. */
export interface RequestConnection {
  /** Ends it from this side. HTTP/2 knows no such half: the whole connection ends. */
  end(): void;
  destroy(): void;
}

/** The connection of a request; of HTTP/2 it is shared with all others of that client. */
export function connectionOf(incoming: IncomingMessage): RequestConnection {
  if (incoming.httpVersionMajor < 2) return { end: () => incoming.socket.end(), destroy: () => incoming.socket.destroy() };
  const { session } = (incoming as unknown as Http2ServerRequest).stream;
  const destroy = (): void => session?.destroy();
  return { end: destroy, destroy };
}
