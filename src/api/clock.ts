/**
 * The clock and the timers of this package. RxJS schedulers fit: with a `TestScheduler` or a `VirtualTimeScheduler`, everything that takes a clock runs in virtual
 * time.
 */
export interface Clock {
  /** Milliseconds since any fixed moment. Must be monotonic. */
  now(): number;
  /** Calls `work` once, after `delayMs` milliseconds, never synchronously. Unsubscribing cancels the call. */
  schedule(
    work: () => void,
    delayMs?: number,
  ): {
    /** Cancels the call. */
    unsubscribe(): void;
  };
}

/** The longest delay that the timers of all runtimes support; a longer one fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/** Read once, since each change of a cache reads the clock twice, and that took a sixth of its time. */
const { timeOrigin } = performance;

/**
 * The clock of the machine: monotonic milliseconds, starting from the time since 1970. Its timers support delays of any length, and `Infinity`.
 */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
  schedule: (work, delayMs = 0) => {
    const due = systemClock.now() + delayMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (leftMs: number): void => {
      if (leftMs <= longestTimerMs) timer = setTimeout(work, leftMs);
      else if (leftMs !== Infinity) timer = setTimeout(() => arm(due - systemClock.now()), longestTimerMs);
    };
    arm(delayMs);
    return { unsubscribe: () => clearTimeout(timer) };
  },
};

/** The tokens of a bucket, full at first: at most `burst`, and `qps` more each second. Those taken in advance count below 0. */
export class Tokens {
  private readonly qps: number;
  private readonly burst: number;
  private readonly clock: Pick<Clock, 'now'>;
  private count: number;
  private at: number;

  constructor(qps: number, burst: number, clock: Pick<Clock, 'now'>) {
    this.qps = qps;
    this.burst = burst;
    this.clock = clock;
    this.count = burst;
    this.at = clock.now();
  }

  /** The milliseconds until there is a token; 0 when there is one. */
  wait(): number {
    const now = this.clock.now();
    this.count = Math.min(this.burst, this.count + (Math.max(0, now - this.at) / 1000) * this.qps);
    this.at = now;
    return Math.max(0, ((1 - this.count) / this.qps) * 1000);
  }

  /** Takes a token, and returns the milliseconds until it is there. */
  take(): number {
    const waitMs = this.wait();
    this.count -= 1;
    return waitMs;
  }
}
