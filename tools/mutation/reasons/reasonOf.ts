import type { Survivor } from '../targetResult.js';
import { applierReasons } from './applierReasons.js';
import { leaderReasons } from './leaderReasons.js';
import { operatorReasons } from './operatorReasons.js';
import { reflectorReasons } from './reflectorReasons.js';
import { sampleReasons } from './sampleReasons.js';

const reasons = [...applierReasons, ...leaderReasons, ...operatorReasons, ...reflectorReasons, ...sampleReasons];

/** Why a survivor may live, undefined where nobody has said so. */
export function reasonOf({ file, original, replacement }: Survivor): string | undefined {
  return reasons.find(
    (one) => `src/${one.file}` === file && one.originals.includes(original) && (one.replacement ?? replacement) === replacement,
  )?.reason;
}
