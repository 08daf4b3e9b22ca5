import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BehaviorSubject, filter, firstValueFrom, timeout } from 'rxjs';

/** What is served where a page with a list is expected. */
const page = '<!doctype html><meta charset="utf-8"><title>rx-informer</title><ul></ul><script type="module" src="/page.js"></script>';

/**
 * Serves a page, and hands everything that the page asks for beyond that on to an API server: to the browser both have one origin, as behind
 * `kubectl proxy --www`.
 */
export class PageServer {
  /** The lines that the page shows. */
  private readonly shown$ = new BehaviorSubject<readonly string[]>([]);
  private readonly server = createServer((incoming, outgoing) => void this.answer(incoming, outgoing));
  private readonly apiServer: () => string;
  private readonly code: string;

  constructor(code: string, apiServer: () => string) {
    this.code = code;
    this.apiServer = apiServer;
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Resolves with the lines that the page shows once the last of them is this one. */
  async showsLast(line: string): Promise<readonly string[]> {
    try {
      const shown = this.shown$.pipe(
        filter((lines) => lines.at(-1) === line),
        // Only what hangs is ended by it: a browser that has just been installed may take half a minute to begin.
        timeout(100_000),
      );
      return await firstValueFrom(shown, { defaultValue: [] });
    } catch {
      throw new Error(`Expected the page to show ${JSON.stringify(line)} last, got ${JSON.stringify(this.shown$.value)}`);
    }
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.url === '/') outgoing.setHeader('Content-Type', 'text/html').end(page);
    else if (incoming.url === '/page.js') outgoing.setHeader('Content-Type', 'text/javascript').end(this.code);
    else if (incoming.url === '/shown') {
      const lines = (await text(incoming)).split('\n');
      outgoing.end();
      // Lines are only ever added, and a report may overtake another.
      if (lines.length > this.shown$.value.length) this.shown$.next(lines);
    } else this.handOn(incoming, outgoing);
  }

  private handOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const server = new URL(this.apiServer());
    const { method, url: path, headers } = incoming;
    const onward = request({ host: server.hostname, port: server.port, method, path, headers: { ...headers, host: server.host } });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}
