import type { Mutant } from './mutant.js';

/** A mutant that survived all specs. */
export type Survivor = Omit<Mutant, 'number'> & {
  /** Whether any test reaches it. */
  readonly isReached: boolean;
};

/** The results of a target's mutants. */
export interface TargetResult {
  readonly name: string;
  /** The commit whose sources were changed. */
  readonly build: string;
  readonly seed: string;
  /** The number of mutants. */
  readonly all: number;
  /** The number of mutants that are evaluated only while modules are loaded, which are not tried. */
  readonly untried: number;
  /** The number of tried mutants. */
  readonly tried: number;
  readonly killed: number;
  /** The number of killed mutants that did not terminate. */
  readonly hanging: number;
  readonly tests: number;
  readonly survivors: readonly Survivor[];
  /** Reasons without a mutant, with file and line. */
  readonly stale: readonly string[];
}
