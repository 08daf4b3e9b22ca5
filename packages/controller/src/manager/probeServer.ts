import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isStale } from 'rx-informer/internal';
import type { InformerHealth } from 'rx-informer';

/** One check of `/healthz` or `/readyz`. */
export interface Check {
  readonly name: string;
  /** The problem found; undefined if the check passed. */
  readonly problem: string | undefined;
}

/** A problem of the running program, as `diagnose` of `@rx-informer/inspector` finds it. */
export interface ManagerWarning {
  readonly code: string;
  /** What has the problem; `process` for the whole program. */
  readonly subject: { readonly kind: string; readonly name: string };
  /** The problem and its cause, in one or two sentences with current figures. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The documentation page, by its path in the package. */
  readonly link: string;
}

/** Checks that a cache has synced, has not ended, and was known to be current not too long ago. */
export function cacheCheck(name: string, health: InformerHealth, staleAfterMs: number): Check {
  const { state, synced, staleMs = 0, error } = health;
  const reason = error === undefined ? '' : `: ${error.message}`;
  if (state === 'stopped') return { name, problem: `stopped${reason}` };
  if (!synced) return { name, problem: `${state}, not complete yet${reason}` };
  return { name, problem: isStale(health, staleAfterMs) ? `stale for ${Math.round(staleMs / 1000)} s, ${state}${reason}` : undefined };
}

/** The text of a probe, one line per check, and whether all passed. */
export function probeText(
  checks: readonly Check[],
  warnings: readonly ManagerWarning[] = [],
): { readonly ok: boolean; readonly text: string } {
  const ok = checks.every(({ problem }) => problem === undefined);
  const lines = checks.map(({ name, problem }) => (problem === undefined ? `[+] ${name}` : `[-] ${name}: ${problem}`));
  const warned = warnings.map(({ message }) => `[!] ${message}`);
  return { ok, text: `${[...warned, ...lines, ok ? 'ok' : 'failed'].join('\n')}\n` };
}

/** Answers a path of a program's own. */
export type PathHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The paths of every manager. */
export const managerPaths: readonly string[] = ['/healthz', '/readyz', '/metrics', '/dump'];

/** The handlers of the port. */
export interface ProbeAnswers {
  readonly healthz: () => Promise<readonly Check[]>;
  readonly readyz: () => Promise<readonly Check[]>;
  /** Warnings shown by `/readyz`, which do not make it fail. */
  readonly warnings?: () => readonly ManagerWarning[];
  /** The registry as JSON. Answered only to this machine: through `kubectl port-forward`, or from inside the pod. */
  readonly dump?: () => Promise<unknown>;
  readonly metrics?: { readonly contentType: string; read(): Promise<string> };
  /** Paths of the program's own. */
  readonly paths?: Readonly<Record<string, PathHandler>>;
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

async function handle(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { healthz, readyz, warnings, dump, metrics, paths = {} }: ProbeAnswers,
): Promise<void> {
  if (path === '/healthz' || path === '/readyz') {
    const { ok, text } = path === '/healthz' ? probeText(await healthz()) : probeText(await readyz(), warnings?.());
    answer(response, ok ? 200 : 503, text);
  } else if (path === '/dump' && dump !== undefined) {
    if (isFromHere(request)) answer(response, 200, `${JSON.stringify(await dump())}\n`, 'application/json');
    else answer(response, 403, 'Only this machine gets a dump, by the name localhost\n');
  } else if (path === '/metrics' && metrics !== undefined) {
    answer(response, 200, await metrics.read(), metrics.contentType);
  } else if (Object.hasOwn(paths, path)) {
    await paths[path]?.(request, response);
  } else {
    const known = ['/healthz', '/readyz', ...(metrics === undefined ? [] : ['/metrics']), ...Object.keys(paths)];
    answer(response, 404, `Nothing is here; there are ${known.join(', ')}\n`);
  }
}

const ownNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const ownAddresses = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether the request comes from a program on this machine, not from a page in a browser. */
function isFromHere({ headers, socket }: IncomingMessage): boolean {
  return ownAddresses.test(socket.remoteAddress ?? '') && ownNames.test(headers.host ?? '') && headers.origin === undefined;
}

/** Listens for probes. Rejects when the port cannot be opened. */
export async function startProbeServer(port: number, host: string | undefined, answers: ProbeAnswers): Promise<ProbeServer> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    handle(path, request, response, answers).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else answer(response, 500, `${String(error)}\n`);
    });
  });
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
