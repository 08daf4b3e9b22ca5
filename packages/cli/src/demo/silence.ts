import type { Trace } from 'rx-informer/pipeline';

type TraceStep = Parameters<Trace>[0];

/** Finds the watches that were given up because nothing came for this long, in milliseconds. One that ends for another reason was not silent at its end. */
export function createSilence(idleTimeoutMs: number): (step: TraceStep) => boolean {
  /** When the last line came, or else when the watch was requested. */
  let heardAt = Infinity;
  return (step) => {
    if (step.stage === 'request' || step.stage === 'line') heardAt = step.at;
    return step.stage === 'end' && step.verb === 'watch' && step.outcome === 'aborted' && step.at - heardAt >= idleTimeoutMs;
  };
}
