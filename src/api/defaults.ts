/** The defaults of the library; durations in milliseconds. Where client-go has the same constant, its value is used. */
export const defaults = {
  /** client-go's pager: 500. */
  pageSize: 500,
  /** client-go's reflector: 0.8 s doubling to 30 s, each wait times a uniform factor in [1, 2). */
  backoff: { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1 },
  /** The longest Retry-After of a server that is obeyed. */
  maxRetryAfterMs: 60_000,
  /** The maximum number of requests that one source may send at once, and per second in the long run; later pages of a list do not count. */
  sourceRequests: { burst: 100, qps: 10 },
  /** A watch that stayed open this long resets the backoff. */
  healthyWatchMs: 30_000,
  /** client-go draws `timeoutSeconds` from [300, 600). */
  watchTimeoutMs: 300_000,
  /** A watch without a byte for this long is replaced. Bookmarks arrive every 60 s. */
  idleTimeoutMs: 75_000,
  /** Deadline for TCP and TLS handshakes. */
  connectTimeoutMs: 15_000,
  /** The longest silence before the headers of a list, and between two chunks of its body. */
  listTimeoutMs: 60_000,
  /** client-go: a watch that ended sooner without any event counts as a failure. */
  veryShortWatchMs: 1_000,
  /** The longest silence of a streamed list (WatchList) after its headers. */
  watchListFirstFrameMs: 2_000,
  /** How long a streamed list may go on without a new key. */
  watchListMarkerMs: 10_000,
  /** How long a resource that cannot be streamed is listed instead. */
  watchListMemoryMs: 3_600_000,
  /** Deadline of a request that is neither a list nor a watch. */
  requestTimeoutMs: 30_000,
  /** client-go: a resync period below one second is raised to it. */
  minimumResyncPeriodMs: 1_000,
} as const;
