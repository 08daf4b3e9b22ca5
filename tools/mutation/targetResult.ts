import type { Mutant } from './mutant.js';

/** A mutant that no spec has noticed. */
export type Survivor = Omit<Mutant, 'number'> & {
  /** No test reaches it. */
  readonly isReached: boolean;
};

/** What became of the mutants of a target. */
export interface TargetResult {
  readonly name: string;
  readonly seed: string;
  /** How many mutants there are. */
  readonly all: number;
  /** How many of them are looked at only while modules are loaded, and were left out. */
  readonly untried: number;
  /** How many of them were tried. */
  readonly tried: number;
  readonly killed: number;
  /** Those of the killed that did not come to an end. */
  readonly hanging: number;
  readonly tests: number;
  readonly survivors: readonly Survivor[];
  /** Reasons that speak of no mutant, with file and line. */
  readonly stale: readonly string[];
}
