import { execFile, execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What one run of kubectl printed. */
export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** kubectl with a home of its own, since it caches what it discovers by host and port. */
export interface Kubectl {
  run(args: readonly string[], input?: string): Promise<KubectlResult>;
  start(args: readonly string[]): ChildProcessWithoutNullStreams;
  remove(): void;
}

/** A kubectl that is at hand. */
export interface KubectlProgram {
  readonly path: string;
  /** For example `v1.32.4`. */
  readonly version: string;
}

function versionOf(path: string): string | undefined {
  try {
    const text = execFileSync(path, ['version', '--client', '-o', 'json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    // A distribution's own addition is none of Kubernetes' version.
    return (JSON.parse(text) as { clientVersion?: { gitVersion?: string } }).clientVersion?.gitVersion?.replace(/-dispatcher$/, '');
  } catch {
    return undefined;
  }
}

/** The kubectl of the PATH, and those whose paths `KUBECTLS` names, separated by colons; each version once. */
export function kubectlPrograms(): readonly KubectlProgram[] {
  const found = new Map<string, KubectlProgram>();
  for (const path of ['kubectl', ...(process.env['KUBECTLS'] ?? '').split(':')]) {
    const version = path === '' ? undefined : versionOf(path);
    if (version !== undefined && !found.has(version)) found.set(version, { path, version });
  }
  const versions = [...found.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return versions.flatMap((version) => found.get(version) ?? []);
}

/** kubectl for one server. */
export function createKubectl(kubeconfigPath: string, program = 'kubectl', environment: NodeJS.ProcessEnv = {}): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'rx-informer-kubectl-'));
  const env = { ...process.env, HOME: home, KUBECONFIG: kubeconfigPath, ...environment };
  return {
    run: (args, input) =>
      new Promise((resolve) => {
        const child = execFile(program, [...args], { env, timeout: 30_000 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, stdout, stderr });
        });
        // A kubectl that has ended already does not read it; how it ended is in the code.
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(input);
      }),
    start: (args) => spawn(program, [...args], { env }),
    remove: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}
