import type { Mutator } from './alternatives.js';

/** One small change of a source file that a spec ought to notice. */
export interface Mutant {
  /** What the instrumented code compares with: unique in a run. */
  readonly number: number;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly mutator: Mutator;
  /** What stood there, on one line, and what stands there instead. */
  readonly original: string;
  readonly replacement: string;
  /** Why no spec needs to notice, from the comment in the source. */
  readonly reason?: string;
}
