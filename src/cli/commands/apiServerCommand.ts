import { isIP } from 'node:net';
import { firstValueFrom, lastValueFrom, type Observable, takeUntil } from 'rxjs';
import { type ApiServerOptions, isLoopback } from '../../apiserver/apiServerOptions.js';
import { administrator } from '../../apiserver/auth/user.js';
import { startApiServer, type TestApiServer } from '../../testing/startApiServer.js';
import { demoScript } from '../../testing/workload/demoScript.js';
import { CliError, exitCodes } from '../cliError.js';
import { readText, writeText } from '../files.js';
import type { Run } from '../terminal.js';
import { readManifests } from './rbacCommand.js';
import { runWorkload } from './runWorkload.js';

/** The flags of `rx-informer api-server`. */
export interface ApiServerFlags {
  readonly port: number;
  readonly bind?: string;
  readonly cors?: boolean;
  readonly preload?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly kubeconfig?: string;
  readonly data?: string;
  readonly workload?: boolean;
  readonly control?: boolean;
  readonly tls?: boolean;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly schema?: 'full' | 'none';
  readonly runtimeConfig?: string;
}

/** The entries of `--runtime-config a=true,b`, as kube-apiserver reads them. */
function entriesOf(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').filter((entry) => entry !== '');
  return Object.fromEntries(entries.map((entry) => [entry.replace(/=.*/s, '').trim(), entry.replace(/^[^=]*=?/, '').trim()]));
}

/** Reads the token from a file: as an argument, other users could see it in the list of processes. */
function tokenIn(file: string): string {
  const text = readText(file).trim();
  if (text === '') throw new CliError(`Expected ${JSON.stringify(file)} to hold a token, got nothing`);
  return text;
}

function optionsOf({ token: given, tokenFile, runtimeConfig, ...flags }: ApiServerFlags): ApiServerOptions {
  const { port, bind, cors, control, tls, schema, allowOrigin: allowedOrigins, data: file } = flags;
  const token = tokenFile === undefined ? given : tokenIn(tokenFile);
  if (token === undefined && bind !== undefined && isIP(bind) !== 0 && !isLoopback(bind))
    throw new CliError(`expected --token or --token-file, since --bind ${bind} opens the server to other machines`, exitCodes.usage);
  return {
    ...{ port, bind, cors, control, tls, schema, allowedOrigins, file },
    runtimeConfig: runtimeConfig === undefined ? undefined : entriesOf(runtimeConfig),
    auth: token === undefined ? undefined : { tokens: { [token]: administrator } },
  };
}

const isKubeconfig = (text: string): boolean => /^current-context: rx-informer$/m.test(text);
const ofAnother = 'is a file of another program; expected a new one, or one that api-server has written';

/** Runs a workload and a script of user actions, until `end` emits. */
async function runScript(server: TestApiServer, end: Observable<unknown>): Promise<void> {
  const stop = await runWorkload(server);
  try {
    await lastValueFrom(demoScript(server.client).pipe(takeUntil(end)), { defaultValue: undefined });
  } finally {
    await stop();
  }
}

/**
 * `rx-informer api-server`: runs the embedded API server until `end$` emits. Prints only the path of a kubeconfig to the output; messages for people go to
 * the error stream.
 */
export async function apiServerCommand(flags: ApiServerFlags, { terminal, end$ }: Run): Promise<void> {
  const server = await startApiServer(optionsOf(flags));
  try {
    const { kubeconfig = server.kubeconfigPath, preload } = flags;
    if (preload !== undefined) server.objects.put(readManifests(preload));
    if (flags.kubeconfig !== undefined) writeText(flags.kubeconfig, server.kubeconfig, isKubeconfig, ofAnother, 0o600);
    terminal.stdout.write(`${kubeconfig}\n`);
    terminal.stderr.write(`API server at ${server.url}; try: kubectl --kubeconfig ${kubeconfig} get pods -A -w\n`);
    if (flags.workload === true) await runScript(server, end$);
    else await firstValueFrom(end$, { defaultValue: undefined });
  } finally {
    await server.close();
  }
}
