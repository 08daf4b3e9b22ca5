import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { messageOf } from 'rx-informer/internal';
import { refusalOf, safeHeaders } from './guards.js';
import { inspectionLines } from './inspection.js';
import { lookText } from './look.js';
import { pageHtml, pageScript, pageStyle } from './pageFiles.js';
import type { Scene } from './scene.js';

/** 4 MiB. */
const maxUnread = 4 * 1024 * 1024;

const staticFiles: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ['/', { type: 'text/html; charset=utf-8', text: pageHtml }],
  ['/page.js', { type: 'text/javascript; charset=utf-8', text: pageScript }],
  ['/page.css', { type: 'text/css; charset=utf-8', text: pageStyle }],
]);

/** Serves a scene on the loopback interface. */
export class InspectorServer {
  private readonly scene: Scene;
  private readonly server: Server;
  private readonly token = randomBytes(24).toString('base64url');
  /** The answers that have not been sent completely. */
  private readonly open = new Set<ServerResponse>();

  private readonly maxUnread: number;

  /** @param unread - the limit in bytes for data that a page has not read; beyond it, an answer is not extended. */
  constructor(scene: Scene, unread: number = maxUnread) {
    this.scene = scene;
    this.maxUnread = unread;
    this.server = createServer((request, response) => this.handle(request, response));
    // Neither the server nor an open page must keep the program alive.
    this.server.unref().on('connection', (socket) => socket.unref());
  }

  async listen(port: number): Promise<void> {
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The address of the page. The token is in the fragment, which does not appear in logs or the Referer. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/#token=${this.token}`;
  }

  close(): Promise<void> {
    this.scene.stop();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const file = staticFiles.get(path);
    const refusal = refusalOf(request, this.token, file !== undefined);
    const send = (status: number, type: string, text: string): void => {
      response.writeHead(status, { ...safeHeaders, 'content-type': type });
      response.end(text);
    };
    const say = (status: number, message: string): void => send(status, 'text/plain; charset=utf-8', `${message}\n`);
    if (refusal !== undefined) {
      say(refusal.status, refusal.message);
      return;
    }
    if (file !== undefined) {
      send(200, file.type, file.text);
      return;
    }
    if (this.unread() > this.maxUnread) {
      say(503, 'The page reads too slowly');
      return;
    }
    this.open.add(response);
    response.on('close', () => this.open.delete(response));
    try {
      const answer = path === '/look' ? lookText(this.scene, query) : undefined;
      if (answer !== undefined) send(200, 'application/json', answer);
      else if (path === '/look') say(400, 'Expected `q` to be an object in JSON, such as {"panel":"objects"}');
      else if (path === '/export') exportTo(response, inspectionLines(this.scene));
      else say(404, 'Nothing is here');
    } catch (error) {
      say(500, messageOf(error));
    }
  }

  private unread(): number {
    let bytes = 0;
    for (const response of this.open) bytes += response.writableLength;
    return bytes;
  }
}

function* withLineBreaks(lines: Iterable<string>): Generator<string, void> {
  for (const line of lines) yield `${line}\n`;
}

/** Writes lines with backpressure. An answer whose lines fail is cut off. */
function exportTo(response: ServerResponse, lines: Iterable<string>): void {
  response.writeHead(200, {
    ...safeHeaders,
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="inspection.jsonl"',
  });
  pipeline(Readable.from(withLineBreaks(lines)), response, () => undefined);
}
