import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The maximum number of bytes of a program's output that are kept. */
const keptLength = 256 * 1024;

const running = new Set<ChildProcess>();

/** How this process ends: a signal that nobody listens to ends it without `exit`. */
const ends = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const life: NodeJS.EventEmitter = process;

function killAll(end: number | NodeJS.Signals): void {
  if (typeof end === 'string' && process.listenerCount(end) > 1) return;
  for (const child of running) child.kill('SIGKILL');
  if (typeof end === 'string') process.off(end, killAll).kill(process.pid, end);
}

/** How to run a program. */
export interface ProgramOptions {
  readonly path: string;
  readonly args: readonly string[];
  /** Resolves with whether the program is ready to serve; called repeatedly. */
  readonly isReady: () => Promise<boolean>;
  /** The longest time until it is ready, in milliseconds. */
  readonly startTimeoutMs: number;
}

/** A program in a process of its own, which ends at the latest with this process. It can be ended and started again. */
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
   * @throws Error with the program's last output, when it ends or is not ready in time.
   */
  async start(): Promise<void> {
    const { path, args, isReady, startTimeoutMs } = this.options;
    const child = spawn(path, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    if (running.size === 0) for (const end of ends) life.on(end, killAll);
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
      if (running.size === 0) for (const end of ends) life.off(end, killAll);
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

  /** Ends it with a signal, and waits until it has exited; 10 s after a SIGTERM, sends SIGKILL. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    // A stopped process does not handle SIGTERM before SIGCONT.
    child.kill('SIGCONT');
    await gone;
    clearTimeout(timer);
  }
}
