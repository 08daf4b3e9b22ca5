import type { Observable } from 'rxjs';

/** Ctrl-C, a request to end, and a closed terminal. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that ends the program. */
export type EndSignal = (typeof endSignals)[number];

/** The part of a process that the command line uses, so that specs can replace it. */
export interface Terminal {
  /** The environment, which has settings for colours. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls back with the signal when the user or a supervisor asks the program to end. */
  onInterrupt(callback: (signal: EndSignal) => void): () => void;
  /**
   * Calls back with every pressed key, which is not echoed (an arrow key is the escape sequence that terminals send), until the returned
   * function is called. Returns undefined without a keyboard. Ctrl-C is not passed on: it ends the program as usual.
   */
  onKey(callback: (key: string) => void): (() => void) | undefined;
}

/** The environment of a command. */
export interface Run {
  readonly terminal: Terminal;
  /** Emits when the program must end. */
  readonly end$: Observable<unknown>;
}

/** One of a process' output streams. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'error' | 'resize', listener: (error: Error) => void): unknown;
}

const ctrlC = String.fromCharCode(3);
const escape = String.fromCharCode(27);
/** One key: a character, or the escape sequence of an arrow or page key. */
const keyPattern = new RegExp(`${escape}\\[[\\d;]*[A-Za-z~]|${escape}O[A-Z]|[^]`, 'gu');

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(callback) {
    for (const signal of endSignals) process.on(signal, callback);
    return () => {
      for (const signal of endSignals) process.off(signal, callback);
    };
  },
  onKey(callback) {
    const { stdin } = process;
    if (!stdin.isTTY) return undefined;
    // One chunk may contain several keys, and a key such as an arrow consists of several characters.
    const listener = (text: string): void => {
      for (const [key] of text.matchAll(keyPattern)) {
        if (key === ctrlC) process.kill(process.pid, 'SIGINT');
        else callback(key);
      }
    };
    stdin.setRawMode(true).setEncoding('utf8').on('data', listener).resume();
    return () => {
      stdin.off('data', listener).setRawMode(false).pause();
    };
  },
};
