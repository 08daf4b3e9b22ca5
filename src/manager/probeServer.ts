import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InformerHealth } from '../api/events/informerHealth.js';

/** One thing that has to be well, as `/healthz` and `/readyz` show it. */
export interface Check {
  readonly name: string;
  /** What is wrong; undefined when all is well. */
  readonly problem: string | undefined;
}

/** Whether a cache is complete and has not been without a working connection for too long. */
export function cacheCheck(name: string, health: InformerHealth, now: number, staleAfterMs: number): Check {
  const silentMs = now - health.since;
  const reason = health.error === undefined ? '' : `: ${health.error.message}`;
  if (!health.synced) return { name, problem: `${health.state}, not complete yet${reason}` };
  const isStale = health.state === 'retrying' && silentMs > staleAfterMs;
  return { name, problem: isStale ? `stale, retrying for ${Math.round(silentMs / 1000)} s${reason}` : undefined };
}

/** The answer of a probe: a line for each check, and whether all is well. */
export function probeText(checks: readonly Check[]): { readonly ok: boolean; readonly text: string } {
  const ok = checks.every(({ problem }) => problem === undefined);
  const lines = checks.map(({ name, problem }) => (problem === undefined ? `[+] ${name}` : `[-] ${name}: ${problem}`));
  return { ok, text: `${[...lines, ok ? 'ok' : 'failed'].join('\n')}\n` };
}

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
