/** The exit codes of the command line. A command that a signal has ended returns 128 and the signal's number, as shells do. */
export const exitCodes = { done: 0, failed: 1, usage: 2, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** An error that is printed on one line, without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command was ended while it waited for a server. */
export class EndedError extends Error {
  override readonly name = 'EndedError';
}

/** Throws a usage error for an invalid argument. */
export function refuse(expected: string, got: string): never {
  throw new CliError(`expected ${expected}, got ${JSON.stringify(got)}`, exitCodes.usage);
}
