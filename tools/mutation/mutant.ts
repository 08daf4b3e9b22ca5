/** One small change of a source file that a spec ought to notice. */
export interface Mutant {
  /** What the instrumented code compares with: unique in a run. */
  readonly number: number;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** What stood there, on one line, and what stands there instead. */
  readonly original: string;
  readonly replacement: string;
}
