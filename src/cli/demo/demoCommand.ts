import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fromEvent, merge, NEVER, type Observable, timer } from 'rxjs';
import { CliError } from '../cliError.js';
import { parseOutput } from '../output/parseOutput.js';
import type { Terminal } from '../terminal.js';
import { watchCommand } from '../commands/watchCommand.js';

/**
 * The flags of `rx-informer demo`.
 */
export interface DemoFlags {
  /** In milliseconds. */
  readonly duration?: number;
}

const unattendedMs = 20_000;
const stopMs = 3_000;

interface ServerProcess {
  readonly kubeconfigPath: string;
  readonly process: ChildProcess;
  /** What it has said on its error stream. */
  readonly complaints: () => string;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The API server with its workload in a process of its own, so that what is watched has come over a network. */
async function startServerProcess(): Promise<ServerProcess> {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, program, 'api-server', '--workload'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const lines = createInterface({ input: child.stdout });
  const kubeconfigPath = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(() => undefined),
  ]);
  if (kubeconfigPath === undefined) throw new CliError(`the API server did not start: ${complaints.join('').trim() || 'it said nothing'}`);
  return { kubeconfigPath, process: child, complaints: () => complaints.join('') };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  const kill = setTimeout(() => child.kill('SIGKILL'), stopMs);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(kill);
}

/**
 * `rx-informer demo`: starts an API server with a living workload in another process and shows its pods. On a terminal it goes on until `end`; otherwise it
 * ends after 20 seconds, or after `--duration`.
 */
export async function demoCommand(flags: DemoFlags, terminal: Terminal, end: Observable<unknown>): Promise<void> {
  const durationMs = flags.duration ?? (terminal.stdout.isTTY === true ? undefined : unattendedMs);
  const server = await startServerProcess();
  const serverEnded = fromEvent(server.process, 'exit');
  try {
    const until = merge(end, serverEnded, durationMs === undefined ? NEVER : timer(durationMs));
    await watchCommand(
      [{ kind: 'pods' }],
      { kubeconfig: server.kubeconfigPath, allNamespaces: true, output: parseOutput('table') },
      terminal,
      until,
    );
    if (hasEnded(server.process)) throw new CliError(`the API server ended: ${server.complaints().trim()}`);
  } finally {
    await stopProcess(server.process);
  }
}
