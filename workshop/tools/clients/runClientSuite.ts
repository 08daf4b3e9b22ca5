import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ClientFailure } from './clientRun.js';
import type { ClientSuite } from './clientSuite.js';

/** The error when a client's cases cannot be run on this machine. */
export class NotRun extends Error {
  override readonly name = 'NotRun';
}

/** The output of a client's program. */
export interface ClientResults {
  readonly version: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly ClientFailure[];
}

interface Line {
  readonly case: string;
  readonly passed: boolean;
  readonly skipped?: boolean;
  readonly why?: string;
}

const patienceMs = 600_000;

function execute([tool = '', ...args]: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(tool, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  const lines = (error?.message ?? `${stderr}\n${stdout}`).trim().split('\n');
  throw new NotRun(`${[tool, ...args].join(' ')} failed: ${lines.slice(0, 3).join(' ').slice(0, 300)}`);
}

/** Runs a program. Its standard error is shown if it fails. */
async function readLines([tool = '', ...args]: readonly string[], cwd: string): Promise<readonly Line[]> {
  const child = spawn(tool, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs });
  const lines: Line[] = [];
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2_000)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{"case"')) lines.push(JSON.parse(line) as Line);
  });
  const code = await new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (status, signal) => resolve(status ?? signal)),
  );
  return code === 0 ? lines : [...lines, { case: 'runs to its end', passed: false, why: `${String(code)}: ${complaints.trim()}` }];
}

/**
 * Downloads a client into a folder, builds its program and runs it, with a new server for each group.
 *
 * @throws NotRun when a requirement is missing.
 */
export async function runClientSuite(
  suite: ClientSuite,
  sources: string,
  builds: string,
  withServer: (run: (kubeconfig: string) => Promise<void>) => Promise<void>,
): Promise<ClientResults> {
  for (const [tool, argument] of suite.needs) if (spawnSync(tool, [argument]).status !== 0) throw new NotRun(`${tool} is not installed`);
  const folder = `${builds}/${suite.sources[0]}`;
  mkdirSync(folder, { recursive: true });
  for (const source of suite.sources) cpSync(`${sources}/${source}`, folder, { recursive: true });
  for (const command of suite.prepare) execute(command, folder);
  const version = execute(suite.version, folder).replace(/^v/, '');
  const lines: Line[] = [];
  for (const group of suite.groups?.map((name) => [name]) ?? [[]]) {
    await withServer(async (kubeconfig) => void lines.push(...(await readLines([...suite.run, ...group, kubeconfig], folder))));
  }
  const failed = lines.filter(({ passed }) => !passed).map(({ case: name, why = '' }) => ({ case: name, why }));
  const skipped = lines.filter((line) => line.skipped === true).length;
  return { version, passed: lines.length - failed.length - skipped, skipped, failed };
}
