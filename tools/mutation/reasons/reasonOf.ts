import { existsSync } from 'node:fs';
import type { Mutant } from '../mutant.js';
import type { Survivor } from '../targetResult.js';
import { applierReasons } from './applierReasons.js';
import { leaderReasons } from './leaderReasons.js';
import { operatorReasons } from './operatorReasons.js';
import { reflectorReasons } from './reflectorReasons.js';
import { sampleReasons } from './sampleReasons.js';

const reasons = [...applierReasons, ...leaderReasons, ...operatorReasons, ...reflectorReasons, ...sampleReasons];

/** Reasons that speak of nothing: their file is gone, or it is one of these and has no such mutant. */
export function staleReasons(files: readonly string[], mutants: readonly Mutant[]): readonly string[] {
  return reasons.flatMap(({ file, originals, replacement }) => {
    const path = `src/${file}`;
    if (!files.includes(path) && existsSync(path)) return [];
    const exists = (original: string): boolean =>
      mutants.some((one) => one.file === path && one.original === original && (replacement ?? one.replacement) === one.replacement);
    return originals.filter((original) => !exists(original)).map((original) => `${file}: ${original}`);
  });
}

/** Why a survivor may live, undefined where nobody has said so. */
export function reasonOf({ file, original, replacement }: Survivor): string | undefined {
  return reasons.find(
    (one) => `src/${one.file}` === file && one.originals.includes(original) && (one.replacement ?? replacement) === replacement,
  )?.reason;
}
