import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketSink } from '../watch/webSocketSink.js';
import type { WatchSink } from '../watch/watchSink.js';

/** A request whose client would like to go on in another protocol. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  /** For the answer, unless the protocol is changed. */
  readonly response: ServerResponse;
  /** Changes to WebSocket; undefined when the client did not ask for that. */
  readonly openWebSocket: (() => WatchSink) | undefined;
}

/** What Node hands over with a request to upgrade: the parser has left the connection, and the body with it. */
function feedBody(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  let missing = Number(incoming.headers['content-length'] ?? '0');
  const feed = (part: Buffer): void => {
    const body = part.subarray(0, missing);
    missing -= body.length;
    if (body.length > 0) incoming.push(body);
    if (missing > 0) return;
    socket.off('data', feed);
    incoming.push(null);
  };
  if (missing > 0) socket.on('data', feed);
  feed(head);
}

/**
 * Prepares the answer to a request with an Upgrade header: watches can go on as a WebSocket, everything else is answered as if the header were
 * not there, on a connection that ends with the answer.
 */
export function upgradeRequestOf(incoming: IncomingMessage, socket: Duplex, head: Buffer): UpgradeRequest {
  const key = incoming.headers['sec-websocket-key'];
  const webSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket' && key !== undefined;
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  socket.on('error', () => socket.destroy());
  if (webSocket) return { incoming, response, openWebSocket: () => openWebSocket(response, socket, key) };
  feedBody(incoming, socket, head);
  return { incoming, response, openWebSocket: undefined };
}

function openWebSocket(response: ServerResponse, socket: Duplex, key: string): WatchSink {
  response.detachSocket(socket as Socket);
  socket.once('close', () => response.destroy());
  return createWebSocketSink(socket, key);
}
