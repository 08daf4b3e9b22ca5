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

/** The version of the kubectl that is installed, undefined when there is none. */
export function kubectlVersion(): string | undefined {
  try {
    const text = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return (JSON.parse(text) as { clientVersion?: { gitVersion?: string } }).clientVersion?.gitVersion;
  } catch {
    return undefined;
  }
}

/** kubectl for one server. */
export function createKubectl(kubeconfigPath: string): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'rx-informer-kubectl-'));
  const env = { ...process.env, HOME: home, KUBECONFIG: kubeconfigPath };
  return {
    run: (args, input) =>
      new Promise((resolve) => {
        const child = execFile('kubectl', [...args], { env, timeout: 30_000 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, stdout, stderr });
        });
        child.stdin?.end(input ?? '');
      }),
    start: (args) => spawn('kubectl', [...args], { env }),
    remove: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}
