/**
 * Bounds of a wait.
 */
export interface WaitOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the wait after this many milliseconds; no bound by default. */
  readonly timeoutMs?: number | undefined;
}
