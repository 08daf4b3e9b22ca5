import { Subject } from 'rxjs';
import type { EndSignal, OutputStream, Terminal } from '../src/terminal.js';

/** A terminal that records the output, and whose keys are pressed by the spec. */
export class FakeTerminal implements Terminal {
  readonly written: { out: string; err: string } = { out: '', err: '' };
  readonly env: Record<string, string | undefined> = { NO_COLOR: '1' };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  private readonly writes$ = new Subject<void>();
  private interrupt: ((signal: EndSignal) => void) | undefined;
  private key: ((key: string) => void) | undefined;
  private unread: ((error: Error) => void) | undefined;
  private unreadErrors: ((error: Error) => void) | undefined;

  constructor(isTTY = false) {
    this.stdout = this.stream('out', isTTY);
    this.stderr = this.stream('err', isTTY);
  }

  onInterrupt(callback: (signal: EndSignal) => void): () => void {
    this.interrupt = callback;
    return () => {
      this.interrupt = undefined;
    };
  }

  onKey(callback: (key: string) => void): (() => void) | undefined {
    if (this.stdout.isTTY !== true) return undefined;
    this.key = callback;
    return () => {
      this.key = undefined;
    };
  }

  /** Presses a key; returns false if nothing listens. */
  press(key: string): boolean {
    this.key?.(key);
    return this.key !== undefined;
  }

  /** Ctrl-C. */
  pressInterrupt(): void {
    this.getSignal('SIGINT');
  }

  getSignal(signal: EndSignal): void {
    this.interrupt?.(signal);
  }

  /** Closes the output, as in `| head -1`. */
  stopReading(): void {
    this.unread?.(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  }

  /** Closes the error stream: without a listener, the process ends by an uncaught error. */
  stopReadingErrors(): void {
    const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    if (this.unreadErrors === undefined) throw error;
    this.unreadErrors(error);
  }

  /** What is written has no room any more. */
  fillDisk(): void {
    this.unread?.(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
  }

  /** Resolves when something has been written that matches. */
  async shows(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.written.out + this.written.err)) {
      await new Promise<void>((resolve) => {
        const subscription = this.writes$.subscribe({
          next: () => {
            subscription.unsubscribe();
            resolve();
          },
        });
      });
    }
  }

  private stream(name: 'out' | 'err', isTTY: boolean): OutputStream {
    return {
      isTTY,
      columns: 100,
      rows: 20,
      write: (text) => {
        this.written[name] += text;
        this.writes$.next();
      },
      on: (event, listener) => {
        if (event === 'error' && name === 'out') this.unread = listener;
        if (event === 'error' && name === 'err') this.unreadErrors = listener;
      },
    };
  }
}
