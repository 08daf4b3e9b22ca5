import type { Trace } from '../../api/events/traceStep.js';

/**
 * A trace that harms nobody: the first time it throws it is reported, and from then on it is not called any more.
 *
 * @internal
 */
export function guardTrace(trace: Trace, report: (cause: unknown) => void): Trace {
  let broken = false;
  return (step) => {
    if (broken) return;
    try {
      trace(step);
    } catch (error) {
      broken = true;
      report(error);
    }
  };
}
