import { isIP } from 'node:net';
import { firstValueFrom, lastValueFrom, NEVER, type Observable, takeUntil } from 'rxjs';
import { type ApiServerOptions, startApiServer, type TestApiServer, type User } from '@rx-informer/api-server';
import { administrator, demoScript, isLoopback } from '@rx-informer/api-server/internal';
import { CliError, exitCodes } from '../cliError.js';
import { readText, writeText } from '../files.js';
import type { Run } from '../terminal.js';
import { readManifests } from './rbacCommand.js';
import { type moods, runWorkload } from './runWorkload.js';

/** The flags of `rx-informer api-server`. */
export interface ApiServerFlags {
  readonly port: number;
  readonly bind?: string;
  readonly cors?: boolean;
  readonly preload?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly kubeconfig?: string;
  readonly data?: string;
  readonly workload?: (typeof moods)[number] | true;
  readonly authorize?: 'rbac';
  readonly user?: readonly string[];
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

/** Who may do what: the administrator by the token, and the named users, by their roles if they are looked at. */
function accessOf(token: string | undefined, users: readonly string[], authorize: 'rbac' | undefined): ApiServerOptions['auth'] {
  if (token === undefined && (users.length > 0 || authorize !== undefined))
    throw new CliError('expected --token or --token-file for the administrator beside --user and --authorize', exitCodes.usage);
  if (token === undefined) return undefined;
  return { tokens: { [token]: administrator, ...Object.fromEntries(users.map(userOf)) }, ...(authorize !== undefined && { authorize }) };
}

/** The user of `--user TOKEN=NAME` or `--user TOKEN=NAME,GROUP,...`. */
function userOf(text: string): readonly [token: string, user: User] {
  const [, token, name, groups = ''] = /^([^=]+)=([^,]+)(?:,(.*))?$/.exec(text) ?? [];
  if (token === undefined || name === undefined)
    throw new CliError(
      `Expected --user to be like alice-token=alice,developers, got ${text.includes('=') ? 'no name' : 'no ='}`,
      exitCodes.usage,
    );
  return [token, { name, groups: groups.split(',').filter((group) => group !== '') }];
}

function optionsOf({ token: given, tokenFile, runtimeConfig, user: users = [], authorize, ...flags }: ApiServerFlags): ApiServerOptions {
  const { port, bind, cors, control, tls, schema, allowOrigin: allowedOrigins, data: file } = flags;
  const token = tokenFile === undefined ? given : tokenIn(tokenFile);
  if (token === undefined && bind !== undefined && isIP(bind) !== 0 && !isLoopback(bind))
    throw new CliError(`expected --token or --token-file, since --bind ${bind} opens the server to other machines`, exitCodes.usage);
  return {
    ...{ port, bind, cors, control, tls, schema, allowedOrigins, file },
    runtimeConfig: runtimeConfig === undefined ? undefined : entriesOf(runtimeConfig),
    auth: accessOf(token, users, authorize),
    versionsFromClock: true,
  };
}

const isKubeconfig = (text: string): boolean => /^current-context: rx-informer$/m.test(text);
const ofAnother = 'is a file of another program; expected a new one, or one that api-server has written';

/** Runs a workload until `end` emits; a lively one with a script of user actions. */
async function runUntil(server: TestApiServer, mood: (typeof moods)[number], end: Observable<unknown>): Promise<void> {
  const stop = await runWorkload(server, mood);
  try {
    const script = mood === 'lively' ? demoScript(server.client) : NEVER;
    await lastValueFrom(script.pipe(takeUntil(end)), { defaultValue: undefined });
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
    const isSent = flags.tls === true || (flags.token ?? flags.tokenFile) === undefined;
    const hint = isSent
      ? `try: kubectl --kubeconfig ${kubeconfig} get pods -A -w`
      : 'without --tls, clients do not send the token of a kubeconfig';
    terminal.stderr.write(`API server at ${server.url}; ${hint}\n`);
    if (flags.workload !== undefined) await runUntil(server, flags.workload === true ? 'calm' : flags.workload, end$);
    else await firstValueFrom(end$, { defaultValue: undefined });
  } finally {
    await server.close();
  }
}
