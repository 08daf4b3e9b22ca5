import type { TargetResult } from './targetResult.js';

/** How many of the mutants that were tried a spec has noticed, in percent. */
export function percentKilled({ killed, tried }: TargetResult): number {
  return tried === 0 ? 100 : (100 * killed) / tried;
}
