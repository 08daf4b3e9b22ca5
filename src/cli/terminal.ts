/**
 * What the command line needs of a process, so that specs can stand in for it.
 */
export interface Terminal {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls back once, when the user asks the program to end. */
  onInterrupt(callback: () => void): () => void;
}

/**
 * One of a process' output streams.
 */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'error' | 'resize', listener: (error: Error) => void): unknown;
}

/**
 * The terminal of this process.
 */
export const processTerminal: Terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(callback) {
    process.on('SIGINT', callback);
    process.on('SIGTERM', callback);
    return () => {
      process.off('SIGINT', callback);
      process.off('SIGTERM', callback);
    };
  },
};
