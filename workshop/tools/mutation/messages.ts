/** A source file with its mutants. */
export interface MutatedFile {
  readonly path: string;
  readonly code: string;
}

/** A test that passes without an active mutant: the mutants that it reaches, and its cost. */
export interface PlannedTest {
  /** Its index among the tests of all specs, in loading order. */
  readonly index: number;
  readonly reaches: readonly number[];
  readonly ms: number;
  /** The number of its calls of `__mutant`. */
  readonly questions: number;
}

/** The requests to a worker. */
export type ToWorker =
  | {
      readonly type: 'start';
      readonly files: readonly MutatedFile[];
      readonly specs: readonly string[];
      /** The number of mutants in the files. */
      readonly mutants: number;
      /** The plan made by another worker. */
      readonly plan?: readonly PlannedTest[];
    }
  | { readonly type: 'try'; readonly mutant: number };

/** The answers of a worker. */
export type FromWorker =
  | { readonly type: 'leftOut'; readonly test: string; readonly why: string }
  | { readonly type: 'ready'; readonly plan: readonly PlannedTest[]; readonly whileLoading: readonly number[] }
  | {
      readonly type: 'verdict';
      readonly mutant: number;
      readonly killedBy?: string;
      /** Whether neither its calls nor its time reached a limit. */
      readonly hasEnded: boolean;
      /** Whether the worker must be replaced: the mutant may still run in it, or the test that killed it fails without it as well. */
      readonly isSpoilt: boolean;
    };
