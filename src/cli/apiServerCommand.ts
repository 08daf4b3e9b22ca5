import { firstValueFrom, type Observable, takeUntil } from 'rxjs';
import type { ApiServerOptions } from '../testing/server/apiServerOptions.js';
import { administrator } from '../testing/server/auth/user.js';
import { startApiServer, type TestApiServer } from '../testing/startApiServer.js';
import { demoScript } from '../testing/workload/demoScript.js';
import { startWorkload } from '../testing/workload/startWorkload.js';
import type { Terminal } from './terminal.js';

/**
 * The flags of `rx-informer api-server`.
 */
export interface ApiServerFlags {
  readonly port: number;
  readonly data?: string;
  readonly workload?: boolean;
  readonly control?: boolean;
  readonly tls?: boolean;
  readonly token?: string;
}

function optionsOf({ port, data, control = false, tls = false, token }: ApiServerFlags): ApiServerOptions {
  return {
    port,
    control,
    tls,
    ...(data !== undefined && { file: data }),
    ...(token !== undefined && { auth: { tokens: { [token]: administrator } } }),
  };
}

/** Runs a workload, and a script that changes it, until `end`. */
async function runWorkload(server: TestApiServer, end: Observable<unknown>): Promise<void> {
  const workload = await startWorkload(server.client);
  try {
    await new Promise<void>((resolve, reject) => {
      demoScript(server.client).pipe(takeUntil(end)).subscribe({ complete: resolve, error: reject });
    });
  } finally {
    await workload.stop();
  }
}

/**
 * `rx-informer api-server`: runs the embedded API server until `end` emits. All it prints is the path of a kubeconfig; what is meant for people goes to
 * the error stream.
 */
export async function apiServerCommand(flags: ApiServerFlags, terminal: Terminal, end: Observable<unknown>): Promise<void> {
  const server = await startApiServer(optionsOf(flags));
  try {
    terminal.stdout.write(`${server.kubeconfigPath}\n`);
    terminal.stderr.write(`API server at ${server.url}; try: kubectl --kubeconfig ${server.kubeconfigPath} get pods -A -w\n`);
    if (flags.workload === true) await runWorkload(server, end);
    else await firstValueFrom(end, { defaultValue: undefined });
  } finally {
    await server.close();
  }
}
