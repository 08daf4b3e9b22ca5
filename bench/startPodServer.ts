import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiled } from './compile.js';

/**
 * A server of pods in a process of its own.
 */
export interface PodServer {
  /** The URL of so many pods, in one of the server's modes. */
  url(mode: 'paged' | 'whole' | 'streamed', pods: number): string;
  /** Serializes what will be asked for. */
  prepare(pods: number, events?: { readonly count: number; readonly pattern: 'uniform' | 'rollout' }): Promise<void>;
  close(): void;
}

/**
 * Starts it, and waits until it listens.
 */
export async function startPodServer(): Promise<PodServer> {
  const child = spawn(process.execPath, ['--max-old-space-size=8192', join(compiled, 'bench/podServer.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.setEncoding('utf8').once('data', (line: string) => resolve(Number(line)));
  });
  const server = `http://127.0.0.1:${port}`;
  return {
    url: (mode, pods) => `${server}/${mode}/${pods}`,
    prepare: async (pods, events) => {
      const path = events === undefined ? '' : `/${events.count}/${events.pattern}`;
      await (await fetch(`${server}/prepare/${pods}${path}`, { method: 'POST' })).text();
    },
    close: () => child.kill(),
  };
}
