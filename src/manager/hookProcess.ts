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

/**
 * Adds the handlers to a process. The result removes them.
 *
 * - SIGTERM and SIGINT ask for the end, each time that they come.
 * - SIGUSR2 opens the inspector.
 * - With a handler, an error that nobody handled does not end the process: the handler must.
 */
export function hookProcess(process: ManagedProcess, { onSignal, onInspect, onUnhandled }: ProcessHandlers): () => void {
  const listeners: readonly (readonly [string, (value: unknown) => void])[] = [
    ['SIGTERM', () => onSignal('SIGTERM')],
    ['SIGINT', () => onSignal('SIGINT')],
    ['SIGUSR2', onInspect],
    ['uncaughtException', onUnhandled],
    ['unhandledRejection', onUnhandled],
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
