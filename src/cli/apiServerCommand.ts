import { firstValueFrom, type Observable } from 'rxjs';
import { startApiServer } from '../testing/startApiServer.js';
import type { Terminal } from './terminal.js';

/**
 * The flags of `rx-informer api-server`.
 */
export interface ApiServerFlags {
  readonly port: number;
  readonly data?: string;
  readonly workload?: boolean;
}

/**
 * `rx-informer api-server`: runs the embedded API server until `end` emits. The first line it prints is the path of a kubeconfig, and nothing else.
 */
export async function apiServerCommand(flags: ApiServerFlags, terminal: Terminal, end: Observable<unknown>): Promise<void> {
  const server = await startApiServer({ port: flags.port, ...(flags.data === undefined ? {} : { file: flags.data }) });
  try {
    terminal.stdout.write(`${server.kubeconfigPath}\n`);
    terminal.stderr.write(`API server at ${server.url}; try: kubectl --kubeconfig ${server.kubeconfigPath} get pods -A -w\n`);
    await firstValueFrom(end, { defaultValue: undefined });
  } finally {
    await server.close();
  }
}
