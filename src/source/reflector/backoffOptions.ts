/**
 * How long to wait before trying again, in milliseconds.
 */
export interface BackoffOptions {
  /** The first wait, at least 1. Default 800, as in client-go. */
  readonly initialMs?: number | undefined;
  /** The longest wait, before jitter. Default 30,000, as in client-go. */
  readonly maxMs?: number | undefined;
  /** By what each wait is longer than the one before it, at least 1. Default 2, as in client-go. */
  readonly factor?: number | undefined;
  /** Each wait is prolonged by up to this share of itself, by chance. Default 1, as in client-go: a wait of 30 s becomes one of 30 to 60 s. */
  readonly jitter?: number | undefined;
}
