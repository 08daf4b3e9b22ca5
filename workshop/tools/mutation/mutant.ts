import type { Mutator } from './alternatives.js';

/** One small change of a source file. */
export interface Mutant {
  /** Its number in the instrumented code, unique in a run. */
  readonly number: number;
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly mutator: Mutator;
  /** The original text on one line, and its replacement. */
  readonly original: string;
  readonly replacement: string;
  /** The reason why no spec needs to fail, from the comment in the source. */
  readonly reason?: string;
}
