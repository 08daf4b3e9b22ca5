/** Why mutants of a file may live, by what stood there and what stands there instead. */
export interface Reason {
  readonly file: string;
  readonly originals: readonly string[];
  /** Absent: any. */
  readonly replacement?: string;
  readonly reason: string;
}
