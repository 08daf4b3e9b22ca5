import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/** A keep-alive connection that counts answers and does little else: it costs less than the measured server. */
export class RawConnection {
  readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private answered: ((code: number) => void) | undefined;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (part) => this.receive(part));
  }

  /** Sends a request, and resolves with the status code once the answer is complete. The answer must have a Content-Length. */
  request(method: string, path: string, contentType = '', body = ''): Promise<number> {
    const type = contentType === '' ? '' : `content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.socket.write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${type}\r\n${body}`);
    return new Promise((resolve) => (this.answered = resolve));
  }

  private receive(part: Buffer): void {
    this.received = this.received.length === 0 ? part : Buffer.concat([this.received, part]);
    const end = this.received.indexOf(headEnd);
    if (end === -1) return;
    const head = this.received.toString('latin1', 0, end);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`Expected an answer with a length, got ${head}`);
    if (this.received.length < end + headEnd.length + Number(length)) return;
    this.received = Buffer.alloc(0);
    this.answered?.(Number(head.slice(9, 12)));
  }
}

/** Opens a request whose answer is a stream, and passes its bytes on. */
export function openStream(port: number, path: string, headers: string, onData: (part: Buffer) => void): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`));
  socket.on('error', () => undefined);
  socket.on('data', onData);
  return socket;
}
