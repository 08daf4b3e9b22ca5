/** A file with its mutants inside. */
export interface MutatedFile {
  readonly path: string;
  readonly code: string;
}

/** A test that passes where no mutant is active: what it reaches, and what it costs. */
export interface PlannedTest {
  /** Among the tests of all specs, in the order of their loading. */
  readonly index: number;
  readonly reaches: readonly number[];
  readonly ms: number;
  /** How many questions it asks. */
  readonly questions: number;
}

/** What a worker is asked. */
export type ToWorker =
  | {
      readonly type: 'start';
      readonly files: readonly MutatedFile[];
      readonly specs: readonly string[];
      /** How many there are in the files. */
      readonly mutants: number;
      /** What another worker has found out. */
      readonly plan?: readonly PlannedTest[];
    }
  | { readonly type: 'try'; readonly mutant: number };

/** What a worker answers. */
export type FromWorker =
  | { readonly type: 'leftOut'; readonly test: string; readonly why: string }
  | { readonly type: 'ready'; readonly plan: readonly PlannedTest[]; readonly whileLoading: readonly number[] }
  | {
      readonly type: 'verdict';
      readonly mutant: number;
      readonly killedBy?: string;
      /** Neither its questions nor its time were cut. */
      readonly hasEnded: boolean;
      /** The worker is of no more use: the mutant may still be at work in it, or the test that has killed it fails without it as well. */
      readonly isSpoilt: boolean;
    };
