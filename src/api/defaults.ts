/** Every default of the library in one place; durations in milliseconds. Where client-go has the constant, its value is taken. */
export const defaults = {
  /** client-go's pager: 500. */
  pageSize: 500,
  /** client-go's reflector: 0.8 s doubling to 30 s, each wait times a uniform factor in [1, 2). */
  backoff: { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1 },
  /** The longest Retry-After of a server that is obeyed. */
  maxRetryAfterMs: 60_000,
  /** How many requests one source may send at once, and per second in the long run; the pages of a list that has begun are free. */
  sourceRequests: { burst: 100, qps: 10 },
  /** A watch that stayed open this long is proof of health. */
  healthyWatchMs: 30_000,
  /** client-go draws `timeoutSeconds` from [300, 600). */
  watchTimeoutMs: 300_000,
  /** A watch that brought no byte for this long is replaced. Bookmarks come every 60 s. */
  idleTimeoutMs: 75_000,
  /** TCP and TLS until a connection is usable. */
  connectTimeoutMs: 15_000,
  /** Until the headers of a list, and between two parts of its body. */
  listTimeoutMs: 60_000,
  /** client-go: a watch that ended sooner without any event is a failure. */
  veryShortWatchMs: 1_000,
  /** How long a WatchList may stay without any frame after its headers. */
  watchListFirstFrameMs: 2_000,
  /** How long a WatchList may stay without a key not seen before, once frames came. */
  watchListMarkerMs: 10_000,
  /** How long it is remembered that a resource cannot stream its list. */
  watchListMemoryMs: 3_600_000,
  /** Whole time of a request that is neither a list nor a watch. */
  requestTimeoutMs: 30_000,
  /** client-go: a resync period below one second is raised to it. */
  minimumResyncPeriodMs: 1_000,
} as const;
