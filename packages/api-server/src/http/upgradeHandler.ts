import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createWebSocketSink } from '../watch/webSocketSink.js';
import type { WatchSink } from '../watch/watchSink.js';

/** A request with an Upgrade header. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  /** For the answer, unless the protocol is changed. */
  readonly response: ServerResponse;
  /** Changes to WebSocket; undefined when the client asked for another protocol. */
  readonly openWebSocket: (() => WatchSink) | undefined;
}

/**
 * The request with its body: Node considers a request with an Upgrade header complete after the headers, and leaves the body unread on the
 * connection.
 */
function withBody(bare: IncomingMessage, socket: Socket, head: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders } = bare;
  const incoming = Object.assign(new IncomingMessage(socket), { method, url, headers, rawHeaders });
  let missing = Number(headers['content-length'] ?? '0');
  const feed = (part: Buffer): void => {
    const body = part.subarray(0, missing);
    missing -= body.length;
    if (body.length > 0) incoming.push(body);
    if (missing > 0) return;
    socket.off('data', feed);
    incoming.complete = true;
    incoming.push(null);
  };
  socket.on('data', feed);
  socket.once('close', () => incoming.destroy());
  feed(head);
  return incoming;
}

/**
 * Prepares the answer to a request with an Upgrade header: watches may become WebSockets; everything else is answered as if the header were
 * absent, on a connection that ends with the answer.
 */
export function upgradeRequestOf(incoming: IncomingMessage, socket: Socket, head: Buffer): UpgradeRequest {
  const key = incoming.headers['sec-websocket-key'];
  const webSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket' && key !== undefined;
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  socket.on('error', () => socket.destroy());
  if (webSocket) return { incoming, response, openWebSocket: () => openWebSocket(response, socket, key) };
  return { incoming: withBody(incoming, socket, head), response, openWebSocket: undefined };
}

function openWebSocket(response: ServerResponse, socket: Socket, key: string): WatchSink {
  response.detachSocket(socket);
  socket.once('close', () => response.destroy());
  return createWebSocketSink(socket, key);
}
