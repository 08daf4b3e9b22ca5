import type { TargetResult } from './targetResult.js';

/** The percentage of tried mutants that were killed. */
export function percentKilled({ killed, tried }: TargetResult): number {
  return tried === 0 ? 100 : (100 * killed) / tried;
}
