import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WatchFrame, WatchSink } from './watchSink.js';

const handshakeKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const;
const normalClosure = Buffer.from([0x03, 0xe8]);
const lingerMs = 10_000;

/** One unfragmented frame from the server. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const head = Buffer.alloc(size);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(length < 126 ? length : length < 65_536 ? 126 : 127, 1);
  if (size === 4) head.writeUInt16BE(length, 2);
  if (size === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

interface ClientFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly size: number;
}

/** The first frame in the received bytes; undefined when it is incomplete. */
function firstFrame(bytes: Buffer): ClientFrame | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (bytes.readUInt8(1) & 0x80) !== 0;
  const start = 2 + extra + (masked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return undefined;
  const mask = masked ? bytes.subarray(start - 4, start) : undefined;
  const payload = Buffer.from(bytes.subarray(start, start + length)).map((byte, at) => byte ^ (mask?.[at % 4] ?? 0));
  return { opcode: bytes.readUInt8(0) & 0x0f, payload: Buffer.from(payload), size: start + length };
}

/** Reads the client's frames: answers pings, ends the watch on close, ignores everything else. */
function listenTo(socket: Duplex, onClose: () => void): void {
  const longest = 64 * 1024;
  let received = Buffer.alloc(0);
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    for (let frame = firstFrame(received); frame !== undefined; frame = firstFrame(received)) {
      received = received.subarray(frame.size);
      if (frame.opcode === opcodes.ping) socket.write(frameOf(opcodes.pong, frame.payload));
      if (frame.opcode === opcodes.close) onClose();
    }
    if (received.length > longest) socket.destroy();
  });
}

/** Answers the handshake of a WebSocket, and sends each event as a text frame. Ends with a close frame with the code 1000. */
export function createWebSocketSink(socket: Duplex, key: string): WatchSink {
  const accept = createHash('sha1').update(`${key}${handshakeKey}`).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const end = (): void => {
    if (socket.writable) socket.end(frameOf(opcodes.close, normalClosure));
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  };
  const sink: WatchSink = {
    onDrain: undefined,
    onClose: undefined,
    send: (frames: readonly WatchFrame[]) => {
      if (!socket.writable) return true;
      return socket.write(Buffer.concat(frames.map(({ parts }) => frameOf(opcodes.text, Buffer.concat(parts)))));
    },
    end,
    destroy: () => socket.destroy(),
  };
  socket.on('drain', () => setImmediate(() => sink.onDrain?.()));
  socket.on('close', () => sink.onClose?.());
  listenTo(socket, () => {
    sink.onClose?.();
    end();
  });
  return sink;
}
