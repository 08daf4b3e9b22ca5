/**
 * What a view has done since it was made.
 */
export interface ViewCounters {
  /** How many values have been computed. */
  readonly computed: number;
  /** How many of them were equal to the value before, so that nothing was emitted. */
  readonly unchanged: number;
  /** How many computations have failed. */
  readonly failed: number;
  /** The milliseconds that all computations took. */
  readonly durationMs: number;
  /** How many changes have been emitted. */
  readonly changes: number;
}
