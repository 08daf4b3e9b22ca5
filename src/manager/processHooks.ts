import type { ManagedProcess } from './managerOptions.js';

/** What a process tells its manager. */
export interface ProcessHandlers {
  /** It was asked to end. */
  readonly onSignal: (signal: string) => void;
  /** An error that nobody has handled: what state the program is in is not known. */
  readonly onUnhandled: (error: unknown) => void;
}

/** Listens to a process. The result ends it. */
export function hookProcess(process: ManagedProcess, { onSignal, onUnhandled }: ProcessHandlers): () => void {
  const listeners: readonly (readonly [string, (value: unknown) => void])[] = [
    ['SIGTERM', () => onSignal('SIGTERM')],
    ['SIGINT', () => onSignal('SIGINT')],
    ['uncaughtException', onUnhandled],
    ['unhandledRejection', onUnhandled],
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
