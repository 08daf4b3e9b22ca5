import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';

/** Whether the process that made a lock still runs: this process does not own what is older than itself. In a container, each has the same id. */
function isRunning(process_: number, path: string): boolean {
  try {
    process.kill(process_, 0);
    return process_ !== process.pid || statSync(path).mtimeMs >= Date.now() - process.uptime() * 1_000;
  } catch (error) {
    // EPERM: the process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownerOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return NaN;
  }
}

/** A file that records which process uses another file. A lock of a process that no longer runs is ignored. */
export class FileLock {
  private readonly path: string;
  private held = false;

  /** @throws Error when another process holds the lock. */
  constructor(path: string) {
    this.path = path;
    try {
      this.take();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = ownerOf(path);
      if (Number.isInteger(owner) && owner > 0 && isRunning(owner, path))
        throw new Error(
          `Expected ${JSON.stringify(path)} to be free, got a lock of process ${String(owner)}: one server at a time can use a file`,
          { cause: error },
        );
      rmSync(path, { force: true });
      this.take();
    }
  }

  release(): void {
    if (this.held) rmSync(this.path, { force: true });
    this.held = false;
  }

  private take(): void {
    const file = openSync(this.path, 'wx', 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    this.held = true;
  }
}
