import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How many bytes of what a program printed are kept. */
const keptLength = 256 * 1024;

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** How a program is run. */
export interface ProgramOptions {
  readonly path: string;
  readonly args: readonly string[];
  /** Resolves to whether the program is ready to serve; asked again and again. */
  readonly isReady: () => Promise<boolean>;
  /** How long it may take until it is ready, in milliseconds. */
  readonly startTimeoutMs: number;
}

/** A program in a process of its own, which ends at the latest with this one. It can be ended and started again. */
export class Program {
  private readonly options: ProgramOptions;
  private child: ChildProcess | undefined;
  private printed = '';

  constructor(options: ProgramOptions) {
    this.options = options;
  }

  /** The last lines of its output. */
  get log(): string {
    return this.printed;
  }

  /** The id of its process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @throws Error with what the program printed last, when it ends or does not become ready in time.
   */
  async start(): Promise<void> {
    const { path, args, isReady, startTimeoutMs } = this.options;
    const child = spawn(path, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    if (running.size === 0) process.once('exit', killAll);
    running.add(child);
    for (const pipe of [child.stdout, child.stderr]) {
      pipe.setEncoding('utf8').on('data', (text: string) => {
        this.printed = (this.printed + text).slice(-keptLength);
      });
    }
    let failure: string | undefined;
    child.once('error', ({ message }) => (failure = message));
    child.once('exit', (code, signal) => {
      failure ??= `it ended with ${String(code ?? signal)}`;
      if (this.child === child) this.child = undefined;
      running.delete(child);
      if (running.size === 0) process.off('exit', killAll);
    });
    for (const until = Date.now() + startTimeoutMs; !(await isReady());) {
      if (Date.now() > until) failure ??= `it was not ready after ${String(startTimeoutMs)} ms`;
      if (failure !== undefined) {
        await this.end('SIGKILL');
        throw new Error(`Expected ${path} to serve, but ${failure}. It printed:\n${this.printed.slice(-4_000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends it and waits until it is gone; with SIGTERM for at most 10 s, then with SIGKILL. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    // A stopped process takes no SIGTERM before it is woken.
    child.kill('SIGCONT');
    await gone;
    clearTimeout(timer);
  }
}
