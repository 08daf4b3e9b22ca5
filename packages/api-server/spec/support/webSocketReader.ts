import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';

/** What was received on a WebSocket: the texts, and the code of its end. */
export interface WebSocketTranscript {
  readonly texts: readonly string[];
  readonly closeCode: number | undefined;
  readonly pongs: number;
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = bytes.readUInt8(at + 1);
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length = extra === 2 ? bytes.readUInt16BE(at + 2) : extra === 8 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    const start = at + 2 + extra;
    frames.push({ opcode: bytes.readUInt8(at) & 0x0f, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}

/** A masked frame, as clients send them. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

/** Opens a watch as a WebSocket and reads it to its end. */
export function readWebSocket(url: string, onOpen: (socket: Socket) => void = () => undefined): Promise<WebSocketTranscript> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    sent.once('error', reject);
    sent.once('response', ({ statusCode }) => reject(new Error(`Expected 101, got ${String(statusCode)}`)));
    sent.once('upgrade', (response, socket: Socket, head: Buffer) => {
      if (response.headers['sec-websocket-accept'] !== 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
        reject(new Error('Expected the handshake of RFC 6455'));
      const parts = [head];
      socket.on('data', (part: Buffer) => parts.push(part));
      socket.once('close', () => {
        const frames = framesOf(Buffer.concat(parts));
        const close = frames.find(({ opcode }) => opcode === 8);
        const texts = frames.filter(({ opcode }) => opcode === 1).map(({ payload }) => payload.toString());
        resolve({ texts, closeCode: close?.payload.readUInt16BE(0), pongs: frames.filter(({ opcode }) => opcode === 10).length });
      });
      onOpen(socket);
    });
    sent.end();
  });
}
