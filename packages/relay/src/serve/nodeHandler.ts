import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { encodingOf, headersOf } from './encoding.js';
import type { Connection } from './connection.js';
import { allowOrigin, isEmptyAnswer, type RelayRequest, textOf } from './requestChecks.js';
import type { RelayAnswer, RelayCore } from './relayCore.js';

function requestOf({ method = '', url = '', headers }: IncomingMessage): RelayRequest {
  const get = (name: string): string | null => {
    const value = name === 'host' ? (headers.host ?? headers[':authority']) : headers[name.toLowerCase()];
    return value === undefined ? null : [value].flat().join(', ');
  };
  return { method, url, headers: { get } };
}

/** The body as a text; where a parser in front of the relay has read it, what that has left in `body`, as Express's `json()` does. */
async function bodyOf(incoming: IncomingMessage & { readonly body?: unknown }): Promise<string | undefined> {
  const { body, readableEnded } = incoming;
  if (!readableEnded || body === undefined) return textOf(incoming as AsyncIterable<Uint8Array>);
  return textOf([Buffer.from(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))]);
}

const closings = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function when the connection closes that answers a request. A response that waits behind others of its connection (pipelining) never has the socket,
 * and emits no `close`. One listener for all of them: there may be many.
 */
function whenClosed(socket: Socket, { httpVersionMajor }: IncomingMessage, response: ServerResponse, close: () => void): void {
  response.once('close', close);
  if (httpVersionMajor > 1) return;
  if (socket.destroyed) {
    close();
    return;
  }
  let waiting = closings.get(socket);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    closings.set(socket, (waiting = all));
    socket.once('close', () => {
      for (const each of all) each();
    });
  }
  const mine = waiting;
  mine.add(close);
  response.once('close', () => mine.delete(close));
}

/** Serves a relay with Node's own requests and responses. */
export function nodeHandler(core: RelayCore): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = requestOf(incoming);
    const cors = allowOrigin(request, core.guard);
    if (isEmptyAnswer(request)) return void response.writeHead(204, cors).end();
    // Node takes it away from a request that is not read to its end.
    const { socket } = incoming;
    const body = await bodyOf(incoming);
    // What was not read is no further request.
    if (body === undefined) response.shouldKeepAlive = false;
    let connection: Connection | undefined;
    const answered = (answer: RelayAnswer): void => {
      const encoding = encodingOf(request.headers.get('accept-encoding'), 'reason' in answer || answer.poll);
      response.writeHead(answer.status, headersOf(answer, cors, encoding));
      if ('reason' in answer) return void response.end(JSON.stringify({ reason: answer.reason, message: answer.message }));
      if (encoding.head !== undefined) response.write(encoding.head);
      connection = answer.open({ write: (chunk) => response.write(encoding.encode(chunk)), end: () => response.end() });
      response.on('drain', () => connection?.drained());
    };
    const asking = core.answer(request, body).subscribe({ next: answered, error: () => response.destroy() });
    whenClosed(socket, incoming, response, () => {
      asking.unsubscribe();
      connection?.close();
    });
  };
  return (request, response) => {
    // The connection broke during the body: there is nobody to answer.
    serve(request, response).catch(() => response.destroy());
  };
}
