import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

interface Told {
  readonly type: string;
  readonly version?: string;
}

/** An informer in a process of its own, which prints what its handlers get. */
export class Follower {
  private readonly child: ChildProcess;
  private readonly told: { readonly at: number; readonly version: number }[] = [];
  readonly synced: Promise<void>;

  constructor(command: string, args: readonly string[]) {
    this.child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, NODE_ENV: 'production' } });
    this.synced = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      if (this.child.stdout === null) return;
      createInterface({ input: this.child.stdout }).on('line', (line) => {
        const { type, version } = JSON.parse(line) as Told;
        if (type === 'synced') resolve();
        if (version !== undefined) this.told.push({ at: performance.now(), version: Number(version) });
      });
    });
  }

  /** When this version, or a later one, was told; undefined while it was not. */
  reached(version: number): number | undefined {
    return this.told.find((told) => told.version >= version)?.at;
  }

  stop(): void {
    this.child.kill();
  }
}
