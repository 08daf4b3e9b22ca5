import type { ManagedProcess } from './managerOptions.js';

/** The handlers for events of a process. */
interface ProcessHandlers {
  /** Called for a signal to end. */
  readonly onSignal: (signal: string) => void;
  /** Called for the signal that opens the inspector. */
  readonly onInspect: () => void;
  /** Called for an unhandled error, after which the state of the program is unknown. */
  readonly onUnhandled: (error: unknown) => void;
}

/** A manager's hold on its process. */
export interface ProcessHold {
  /** Sets the exit code. */
  exitCode(code: number): void;
  /** Ends the process, when no other manager holds it: each has a drain to finish and a lease to give back. */
  exit(code: number): void;
  /** Removes the handlers, and lets the process end if another manager has asked for it. */
  release(): void;
}

/** The managers of one process, and the code with which it is to end after the last of them. */
interface Shared {
  holds: number;
  wanted: number | undefined;
}

const sharedBy = new WeakMap<ManagedProcess, Shared>();

/**
 * Adds the handlers to a process.
 *
 * - SIGTERM and SIGINT ask for the end, each time that they come.
 * - SIGUSR2 opens the inspector.
 * - With a handler, an error that nobody handled does not end the process: the handler must.
 */
export function holdProcess(process: ManagedProcess, { onSignal, onInspect, onUnhandled }: ProcessHandlers): ProcessHold {
  const listeners: readonly (readonly [string, (value: unknown) => void])[] = [
    ['SIGTERM', () => onSignal('SIGTERM')],
    ['SIGINT', () => onSignal('SIGINT')],
    ['SIGUSR2', onInspect],
    ['uncaughtException', onUnhandled],
    ['unhandledRejection', onUnhandled],
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
  const shared = sharedBy.get(process) ?? { holds: 0, wanted: undefined };
  sharedBy.set(process, shared);
  shared.holds += 1;
  const endIfLast = (): void => {
    if (shared.holds === 0 && shared.wanted !== undefined) process.exit(shared.wanted);
  };
  return {
    exitCode: (code) => void (process.exitCode = code),
    exit: (code) => {
      shared.wanted ??= code;
      endIfLast();
    },
    release: () => {
      for (const [event, listener] of listeners) process.off(event, listener);
      shared.holds -= 1;
      endIfLast();
    },
  };
}
