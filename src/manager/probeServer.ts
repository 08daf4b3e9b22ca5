import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Check, probeText } from './readiness.js';

/** What the port answers. */
export interface ProbeAnswers {
  readonly healthz: () => readonly Check[];
  readonly readyz: () => readonly Check[];
  readonly metrics?: { readonly contentType: string; read(): Promise<string> };
}

/** A server for probes and metrics. */
export interface ProbeServer {
  readonly port: number;
  close(): Promise<void>;
}

const plain = 'text/plain; charset=utf-8';

function answer(response: ServerResponse, code: number, text: string, contentType = plain): void {
  response.writeHead(code, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(text);
}

async function handle(path: string, response: ServerResponse, { healthz, readyz, metrics }: ProbeAnswers): Promise<void> {
  if (path === '/healthz' || path === '/readyz') {
    const { ok, text } = probeText(path === '/healthz' ? healthz() : readyz());
    answer(response, ok ? 200 : 503, text);
  } else if (path === '/metrics' && metrics !== undefined) {
    answer(response, 200, await metrics.read(), metrics.contentType);
  } else {
    answer(response, 404, `Nothing is here; there are /healthz, /readyz${metrics === undefined ? '' : ', /metrics'}\n`);
  }
}

/** Listens for probes. Rejects when the port cannot be had. */
export async function startProbeServer(port: number, host: string | undefined, answers: ProbeAnswers): Promise<ProbeServer> {
  const server: Server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    handle(path, response, answers).catch((error: unknown) => answer(response, 500, `${String(error)}\n`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
