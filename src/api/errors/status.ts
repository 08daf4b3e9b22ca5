/** One cause among the details of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The details of a Status beyond its message. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** An API server's answer about an operation, in bodies of failed requests and in ERROR events of a watch. */
export interface Status {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}
