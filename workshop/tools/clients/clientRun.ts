/** The results of one client's cases against one server, as stored in workshop/reports/runs/clients. */
export interface ClientRun {
  /** For example `kube-rs`. */
  readonly client: string;
  /** The version of the client. */
  readonly version: string;
  /** The origin of the cases: this repository, or the client's own tests. */
  readonly what: string;
  /** `embedded`, or the version of a real one. */
  readonly server: string;
  readonly date: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly ClientFailure[];
}

/** A failed case with its error. */
export interface ClientFailure {
  readonly case: string;
  readonly why: string;
}
