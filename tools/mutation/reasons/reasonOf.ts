import type { Survivor } from '../targetResult.js';
import { leaderReasons } from './leaderReasons.js';
import { operatorReasons } from './operatorReasons.js';

const reasons = [...leaderReasons, ...operatorReasons];

/** Why a survivor may live, undefined where nobody has said so. */
export function reasonOf({ file, original, replacement }: Survivor): string | undefined {
  return reasons.find(
    (one) => `src/${one.file}` === file && one.originals.includes(original) && (one.replacement ?? replacement) === replacement,
  )?.reason;
}
