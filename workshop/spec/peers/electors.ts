import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

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

/** Whose a candidate is: client-go's elector, a manager of controller-runtime, whose process ends with its leadership, or ours. */
export type ElectorKind = 'go' | 'manager' | 'ours';

/** A candidate in a separate process. */
export class Elector {
  readonly identity: string;
  readonly kind: ElectorKind;
  /** Settles when its process has ended, by itself or not. */
  readonly gone: Promise<unknown>;
  private readonly child: ChildProcess;

  /** @param program - the program of workshop/tools/peers/client-go. */
  constructor(kind: ElectorKind, program: string, election: Election, told: (what: ToldByElector) => void) {
    this.identity = election.identity;
    this.kind = kind;
    const given = JSON.stringify(election);
    const ours = ['--import', `${root}workshop/tools/register-ts-node.mjs`, `${root}workshop/spec/peers/electorProcess.ts`, given];
    const [command, args] = kind === 'ours' ? [process.execPath, ours] : [program, [kind === 'go' ? 'elector' : 'manager', given]];
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    this.gone = once(child, 'exit');
    const { identity } = election;
    createInterface({ input: child.stdout }).on('line', (line) =>
      told({ ...(JSON.parse(line) as Omit<ToldByElector, 'identity'>), identity }),
    );
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  async end(name: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.child.kill(name);
    await this.gone;
  }
}
