import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FromWorker, ToWorker } from './messages.js';

/** The verdict on a mutant. */
export type Verdict = Extract<FromWorker, { readonly type: 'verdict' }>;
type Ready = Extract<FromWorker, { readonly type: 'ready' }>;

const program = fileURLToPath(new URL('worker.ts', import.meta.url));

/** A process that tries mutants. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly messages: FromWorker[] = [];
  private hasEnded = false;
  /** Checks whether an awaited message has arrived. */
  private take = (): void => undefined;

  constructor(start: Omit<Extract<ToWorker, { readonly type: 'start' }>, 'type'>) {
    this.child = fork(program, { serialization: 'advanced' });
    this.child.on('message', (message) => {
      this.messages.push(message as FromWorker);
      this.take();
    });
    this.child.on('exit', () => {
      this.hasEnded = true;
      this.take();
    });
    this.send({ type: 'start', ...start });
  }

  /** Resolves when the specs are loaded and, without a plan, have passed. */
  async ready(): Promise<Ready> {
    for (;;) {
      const message = await this.message(600_000);
      if (message === undefined) throw new Error('The worker has ended');
      if (message.type === 'leftOut') console.warn(`left out: ${message.test}: ${message.why.slice(0, 200)}`);
      else if (message.type === 'ready') return message;
    }
  }

  /** Resolves with the verdict on a mutant; undefined when it does not terminate. */
  async try(mutant: number, patienceMs: number): Promise<Verdict | undefined> {
    this.send({ type: 'try', mutant });
    const message = await this.message(patienceMs);
    return message?.type === 'verdict' ? message : undefined;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private send(message: ToWorker): void {
    this.child.send(message);
  }

  /** Resolves with the next message; undefined when the process has ended, or has worked for this long without one. */
  private message(patienceMs: number): Promise<FromWorker | undefined> {
    const until = this.workedMs() + patienceMs;
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        if (this.workedMs() >= until) done(undefined);
      }, 1000);
      const done = (message: FromWorker | undefined): void => {
        clearInterval(timer);
        this.take = () => undefined;
        resolve(message);
      };
      this.take = () => {
        if (this.messages.length > 0 || this.hasEnded) done(this.messages.shift());
      };
      this.take();
    });
  }

  /** The processor time of the process, if the system reports it: on a busy machine it may not run for long. */
  private workedMs(): number {
    const path = `/proc/${String(this.child.pid)}/stat`;
    if (!existsSync(path)) return performance.now();
    const [user, system] = readFileSync(path, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
    // The values are in hundredths of a second.
    return ((user ?? 0) + (system ?? 0)) * 10;
  }
}
