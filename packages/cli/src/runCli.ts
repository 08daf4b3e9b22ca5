import { CommanderError } from 'commander';
import { Observable, ReplaySubject, share } from 'rxjs';
import { CliError, EndedError, exitCodes } from './cliError.js';
import { errorLine } from './output/errorLine.js';
import { programOf } from './program/programOf.js';
import type { EndSignal, Terminal } from './terminal.js';

/** Why the program ends early: a signal, its output is no longer read, or writing failed. */
type End = EndSignal | 'unread' | Error;

/** Emits when the program must end, also to those who subscribe later. */
function endOf(terminal: Terminal, note: (reason: End) => void): Observable<void> {
  return new Observable<void>((subscriber) => {
    terminal.stdout.on('error', (error) => {
      note((error as NodeJS.ErrnoException).code === 'EPIPE' ? 'unread' : error);
      subscriber.next();
    });
    // Messages that nobody reads are lost; without a listener, their error would end the process.
    terminal.stderr.on('error', () => undefined);
    return terminal.onInterrupt((signal) => {
      note(signal);
      subscriber.next();
    });
  }).pipe(share({ connector: () => new ReplaySubject(1) }));
}

/** Resolves in a later task, after errors of pending writes have been reported. */
const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function exitCodeOf(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof EndedError) return exitCodes.done;
  terminal.stderr.write(`rx-informer: ${errorLine(error)}\n`);
  return error instanceof CliError ? error.exitCode : exitCodes.failed;
}

/** Joins `--inspect` with a following number, its port. Any other following word is a file or a kind. */
function withInspectPort(args: readonly string[]): string[] {
  return args.map((arg, at) => (arg === '--inspect' && !/^\d+$/.test(args[at + 1] ?? '') ? '--inspect=0' : arg));
}

/** Runs the command line and returns its exit code: 0 done, 1 failed, 2 wrong usage, 128 and its number for a signal. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let ended: End | undefined;
  const end = endOf(terminal, (reason) => {
    ended ??= reason;
  });
  const subscription = end.subscribe();
  try {
    const exitCode = await programOf({ terminal, end$: end })
      .parseAsync(withInspectPort(args), { from: 'user' })
      .then(
        () => exitCodes.done,
        (error: unknown) => exitCodeOf(error, terminal),
      );
    await written();
    if (ended instanceof Error) {
      terminal.stderr.write(`rx-informer: the output cannot be written: ${errorLine(ended)}\n`);
      return exitCodes.failed;
    }
    return ended !== undefined && ended !== 'unread' && exitCode === exitCodes.done ? exitCodes[ended] : exitCode;
  } finally {
    subscription.unsubscribe();
  }
}
