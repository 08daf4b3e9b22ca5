import { spawn } from 'node:child_process';
import { tap } from 'rxjs';
import { type RbacOptions, type UsedRight, usedRightsOf } from '@rx-informer/api-server/internal';
import { startApiServer, type UsedRights } from '@rx-informer/api-server';
import { messageOf } from 'rx-informer/internal';
import { CliError, exitCodes } from '../cliError.js';
import { readText } from '../files.js';
import type { Run, Terminal } from '../terminal.js';
import { runWorkload, workloadAgent } from './runWorkload.js';

/** The flags of `rx-informer rbac`. */
export interface RbacFlags {
  readonly server?: string;
  readonly userAgent?: string;
  readonly user?: string;
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  readonly roleName?: string;
  readonly serviceAccount?: string;
  readonly check?: readonly string[];
  readonly exact?: boolean;
  readonly preload?: readonly string[];
  readonly workload?: boolean;
}

/** The text of manifests; several files are concatenated as documents. */
export function readManifests(files: readonly string[]): string {
  return files.map(readText).join('\n---\n');
}

const scopeOf = (words: readonly string[]): RbacOptions['names'] => {
  const [only] = words;
  return words.length === 1 && (only === 'any' || only === 'used') ? only : words;
};

function optionsOf({ userAgent, user, namespaces, names, roleName, serviceAccount }: RbacFlags): RbacOptions {
  return {
    userAgent,
    user,
    roleName,
    serviceAccount,
    namespaces: namespaces && scopeOf(namespaces),
    names: names && scopeOf(names),
  };
}

/** The rights used at a server in another process. */
async function rightsOfServer(url: string): Promise<readonly UsedRight[]> {
  const where = `${url.replace(/\/+$/, '')}/-/rights`;
  let response: Response;
  try {
    response = await fetch(where);
  } catch (error) {
    throw new CliError(`cannot reach ${where}: ${messageOf(error)}`);
  }
  if (!response.ok) throw new CliError(`expected ${url} to be an api-server with --control, got the answer ${String(response.status)}`);
  return ((await response.json()) as { readonly items: readonly UsedRight[] }).items;
}

/**
 * Runs a program until it ends or the user interrupts it, and returns its exit code. Its output goes to the error stream, so that standard
 * output has only the roles.
 */
async function runProgram([program = '', ...args]: readonly string[], kubeconfig: string, end$: Run['end$']): Promise<number> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = spawn(program, args, { env, stdio: ['inherit', 2, 2] });
  let isAsked = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new CliError(`cannot run ${program}: ${messageOf(error)}`)));
    // A program that ends when it is asked to has not failed.
    child.once('close', (code) => resolve(code ?? (isAsked ? exitCodes.done : exitCodes.failed)));
  });
  const subscription = end$.pipe(tap(() => (isAsked = child.kill('SIGTERM')))).subscribe();
  return ended.finally(() => subscription.unsubscribe());
}

/** Runs a program against a server of its own; returns the rights that it used, and its exit code. */
async function rightsOfProgram(
  command: readonly string[],
  { preload = [], workload = false }: RbacFlags,
  end$: Run['end$'],
): Promise<{ readonly rights: readonly UsedRight[]; readonly code: number; readonly wasEmpty: boolean }> {
  const server = await startApiServer();
  try {
    if (preload.length > 0) server.objects.put(readManifests(preload));
    const stop = workload ? await runWorkload(server) : undefined;
    const before = server.activity.writes.length;
    const code = await runProgram(command, server.kubeconfigPath, end$).finally(stop);
    return { rights: server.rbac().rights, code, wasEmpty: preload.length === 0 && server.activity.writes.length === before };
  } finally {
    await server.close();
  }
}

function checkManifests(rights: UsedRights, files: readonly string[], { exact, serviceAccount }: RbacFlags, { stderr }: Terminal): void {
  const manifests = readManifests(files);
  try {
    rights.expectGrantedBy(manifests, { exact, serviceAccount });
  } catch (error) {
    stderr.write(`${messageOf(error)}\n`);
    throw new CliError(`${files.join(', ')}: these do not match the rights that were used`);
  }
}

/**
 * `rx-informer rbac`: writes the smallest roles for the rights that were used, or compares them with manifests. The rights are those of a
 * program that it runs, or of the clients of an `api-server --control`.
 */
export async function rbacCommand(command: readonly string[], flags: RbacFlags, { terminal, end$ }: Run): Promise<void> {
  const { server, check, exact } = flags;
  if ((server === undefined) === (command.length === 0))
    throw new CliError(
      'expected either a command, as in `rbac -- npm test`, or --server with the address of an api-server --control',
      exitCodes.usage,
    );
  if (exact === true && check === undefined) throw new CliError('expected --check with the manifests for --exact', exitCodes.usage);
  const { rights, code, wasEmpty } =
    server === undefined ? await rightsOfProgram(command, flags, end$) : { rights: await rightsOfServer(server), code: 0, wasEmpty: false };
  const used = usedRightsOf(
    rights.filter(({ userAgent }) => userAgent !== workloadAgent),
    optionsOf(flags),
  );
  if (code === 0 && used.rights.length === 0)
    throw new CliError(
      server === undefined
        ? `${String(command[0])} sent no request to the server: it must use the one in the environment variable KUBECONFIG, not start its own`
        : `${server} has not been asked for anything yet`,
    );
  if (wasEmpty)
    terminal.stderr.write(
      'there was no object in the server: what the program does with objects is missing; see --preload and --workload\n',
    );
  if (check === undefined) terminal.stdout.write(used.yaml);
  if (code !== 0) throw new CliError(`${String(command[0])} ended with ${String(code)}: the rights may be incomplete`);
  if (check !== undefined) checkManifests(used, check, flags, terminal);
}
