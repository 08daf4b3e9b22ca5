/**
 * How long to wait before trying again, in milliseconds.
 */
export interface BackoffOptions {
  /** The first wait, above 0. Default 800, as in client-go. */
  readonly initialMs?: number | undefined;
  /** The longest wait, before jitter. Default 30,000, as in client-go. */
  readonly maxMs?: number | undefined;
  /** By what each wait is longer than the one before it, at least 1. Default 2, as in client-go. */
  readonly factor?: number | undefined;
  /** Each wait is prolonged by up to this share of itself, by chance. Default 1, as in client-go: a wait of 30 s becomes one of 30 to 60 s. */
  readonly jitter?: number | undefined;
}

/**
 * The wait before the next attempt, after `attempt` failures in a row (from 1).
 *
 * The server's wish (`retryAfterMs`) is a lower bound: the wait is never shorter.
 *
 * @internal
 */
export function backoffDelay(attempt: number, backoff: Required<BackoffOptions>, random: () => number, retryAfterMs = 0): number {
  const { initialMs, maxMs, factor, jitter } = backoff as { [name in keyof BackoffOptions]-?: number };
  const base = Math.min(maxMs, initialMs * factor ** (attempt - 1));
  return Math.max(retryAfterMs, base * (1 + jitter * random()));
}
