import type { SchedulerLike } from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';

/** For how long one cause is not said again. */
const quietMs = 60_000;

/** What failures have in common that one person would mend at once: the innermost code of the system or of the server. */
function causeOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.code);
  if (typeof error !== 'object' || error === null) return typeof error;
  const { code, cause, name } = error as { readonly code?: unknown; readonly cause?: unknown; readonly name?: unknown };
  const inner = cause === undefined ? '' : causeOf(cause);
  return `${String(code ?? name)} ${inner}`.trimEnd();
}

/**
 * Makes the lines of a log: a failure is said once per minute and cause, then with the number of those that were left out. Otherwise there is no line.
 */
export function createQuiet(scheduler: SchedulerLike): (error: Error, message: string) => string | undefined {
  const said = new Map<string, { at: number; leftOut: number }>();
  return (error, message) => {
    const cause = causeOf(error);
    const at = scheduler.now();
    const before = said.get(cause);
    if (before !== undefined && at - before.at < quietMs) {
      before.leftOut += 1;
      return undefined;
    }
    said.set(cause, { at, leftOut: 0 });
    const leftOut = before?.leftOut ?? 0;
    return leftOut === 0 ? message : `${message} (and ${String(leftOut)} more like it since the last time)`;
  };
}
