import { closeSync, openSync, readSync } from 'node:fs';

/** The CPU time of this thread alone. `process.cpuUsage` includes the threads of the garbage collector and of the compiler. */
export class ThreadClock {
  private readonly file = openSync('/proc/thread-self/schedstat', 'r');
  private readonly buffer = Buffer.alloc(64);
  private readonly pause = new Int32Array(new SharedArrayBuffer(4));

  /** Milliseconds. */
  now(): number {
    // The kernel updates the time of a running thread only at its ticks, 4 ms apart, but exactly when the thread sleeps.
    Atomics.wait(this.pause, 0, 0, 0.001);
    const length = readSync(this.file, this.buffer, 0, 64, 0);
    return Number(this.buffer.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
  }

  close(): void {
    closeSync(this.file);
  }
}
