import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments that run the command line from its sources. */
export const commandLine: readonly string[] = ['--import', `${root}workshop/tools/register-ts-node.mjs`, `${root}packages/cli/src/main.ts`];

/** An API server in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly kubeconfigPath: string;
  readonly url: string;
  readonly port: number;
  /** Ends the process and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts `rx-informer api-server` and waits until it listens. */
export async function startServerProcess(...args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...commandLine, 'api-server', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  const told = new Promise<string>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints.push(text);
      const url = /https?:\/\/[\d.:]+/.exec(complaints.join(''))?.[0];
      if (url !== undefined) resolve(url);
    });
  });
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`The server ended: ${complaints.join('')}`)));
  const [kubeconfigPath, url] = await Promise.race([Promise.all([line, told]), failed]);
  failed.catch(() => undefined);
  return {
    child,
    kubeconfigPath,
    url,
    port: Number(new URL(url).port),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}
