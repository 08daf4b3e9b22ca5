import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Who stands for which lease, and the timing in milliseconds. */
export interface Election {
  readonly url: string;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** What a candidate says, in the order in which it says it; `at` is the machine's monotonic clock. */
export interface ToldByElector {
  readonly identity: string;
  readonly type: 'ready' | 'elected' | 'over' | 'request';
  readonly at: number;
}

/** A candidate in a process of its own: one of client-go, or one of ours. */
export class Elector {
  readonly identity: string;
  private readonly child: ChildProcess;

  /** @param program - that of tools/peers/client-go; ours without it. */
  constructor(program: string | undefined, election: Election, told: (what: ToldByElector) => void) {
    this.identity = election.identity;
    const given = JSON.stringify(election);
    const ours = ['--import', `${root}tools/register-ts-node.mjs`, `${root}spec/peers/electorProcess.ts`, given];
    const [command, args] = program === undefined ? [process.execPath, ours] : [program, ['elector', given]];
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    const { identity } = election;
    createInterface({ input: child.stdout }).on('line', (line) =>
      told({ ...(JSON.parse(line) as Omit<ToldByElector, 'identity'>), identity }),
    );
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  async end(name: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill(name);
    await gone;
  }
}
