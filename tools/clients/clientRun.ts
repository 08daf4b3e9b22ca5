/** What came of one client's cases against one server, as docs/runs/clients keeps it. */
export interface ClientRun {
  /** For example `kube-rs`. */
  readonly client: string;
  /** Of the client. */
  readonly version: string;
  /** What was run: cases of this repository, or the client's own tests. */
  readonly what: string;
  /** `embedded`, or the version of a real one. */
  readonly server: string;
  readonly date: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly ClientFailure[];
}

/** A case that did not pass, and why. */
export interface ClientFailure {
  readonly case: string;
  readonly why: string;
}
