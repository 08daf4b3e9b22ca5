import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { firstValueFrom, lastValueFrom, type Observable, takeUntil } from 'rxjs';
import { type ApiServerOptions, isLoopback } from '../../apiserver/apiServerOptions.js';
import { administrator } from '../../apiserver/auth/user.js';
import { startApiServer, type TestApiServer } from '../../testing/startApiServer.js';
import { demoScript } from '../../testing/workload/demoScript.js';
import { CliError, exitCodes } from '../cliError.js';
import type { Run } from '../terminal.js';
import { messageOf } from '../../api/errors/informerError.js';
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
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(`Expected ${JSON.stringify(file)} to be a file with a token: ${messageOf(error)}`);
  }
  if (text === '') throw new CliError(`Expected ${JSON.stringify(file)} to hold a token, got nothing`);
  return text;
}

function optionsOf({ allowOrigin, data, token: given, tokenFile, runtimeConfig, ...flags }: ApiServerFlags): ApiServerOptions {
  const { port, bind, cors, control, tls, schema } = flags;
  const token = tokenFile === undefined ? given : tokenIn(tokenFile);
  if (token === undefined && bind !== undefined && isIP(bind) !== 0 && !isLoopback(bind))
    throw new CliError(`expected --token or --token-file, since --bind ${bind} opens the server to other machines`, exitCodes.usage);
  return {
    ...{ port, bind, cors, control, tls, schema },
    ...(allowOrigin !== undefined && { allowedOrigins: allowOrigin }),
    ...(data !== undefined && { file: data }),
    ...(runtimeConfig !== undefined && { runtimeConfig: entriesOf(runtimeConfig) }),
    ...(token !== undefined && { auth: { tokens: { [token]: administrator } } }),
  };
}

/** Writes the kubeconfig to the file that the user chose. Refuses to overwrite a file that this command has not written. */
function writeKubeconfig(file: string, from: string): void {
  try {
    if (existsSync(file) && !/^current-context: rx-informer$/m.test(readFileSync(file, 'utf8')))
      throw new CliError(`${file} is a file of another program; expected a new one, or one that api-server has written`);
    writeFileSync(file, readFileSync(from), { mode: 0o600 });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`cannot write ${file}: ${messageOf(error)}`);
  }
}

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
    if (flags.kubeconfig !== undefined) writeKubeconfig(flags.kubeconfig, server.kubeconfigPath);
    terminal.stdout.write(`${kubeconfig}\n`);
    terminal.stderr.write(`API server at ${server.url}; try: kubectl --kubeconfig ${kubeconfig} get pods -A -w\n`);
    if (flags.workload === true) await runScript(server, end$);
    else await firstValueFrom(end$, { defaultValue: undefined });
  } finally {
    await server.close();
  }
}
