/** The exit codes of the command line. */
export const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

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
