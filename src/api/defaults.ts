/** The defaults of the library; durations in milliseconds. Where client-go has the same constant, its value is used. */
export const defaults = {
  /** client-go's pager: 500. */
  pageSize: 500,
  /** client-go's reflector: 0.8 s doubling to 30 s, each wait times a uniform factor in [1, 2). */
  backoff: { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1 },
  /** How many failures to connect are retried soon, within half a minute together, before the backoff begins. client-go repeats what is cut off every second. */
  connectionRetries: 50,
  /** The longest Retry-After of a server that is obeyed. */
  maxRetryAfterMs: 60_000,
  /** The maximum number of requests that one source may send at once, and per second in the long run; later pages of a list do not count, unless their token repeats. */
  sourceRequests: { burst: 100, qps: 10 },
  /** Deadline for TCP and TLS handshakes. */
  connectTimeoutMs: 15_000,
  /** The longest silence before the headers of a list, and between two chunks of its body. */
  listTimeoutMs: 60_000,
  /** client-go: a watch that ended sooner without any event counts as a failure. */
  veryShortWatchMs: 1_000,
  /** Deadline of a request that is neither a list nor a watch. */
  requestTimeoutMs: 30_000,
  /** client-go: a resync period below one second is raised to it. */
  minimumResyncPeriodMs: 1_000,
} as const;
