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

/** Monotonic milliseconds, starting from the time since 1970. */
export const monotonicNow = (): number => timeOrigin + performance.now();

/** The clock of the machine: `monotonicNow`, and timers that support delays of any length, and `Infinity`. */
export const systemClock: Clock = {
  now: monotonicNow,
  schedule: (work, delayMs = 0) => {
    const due = monotonicNow() + delayMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (leftMs: number): void => {
      if (leftMs <= longestTimerMs) timer = setTimeout(work, leftMs);
      else if (leftMs !== Infinity) timer = setTimeout(() => arm(due - monotonicNow()), longestTimerMs);
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

/** A longer call blocks the program noticeably. */
const slowMs = 50;
/** How many calls after a slow one are measured by processor time. */
const probedCalls = 1_000;

interface Usage {
  readonly process?: { cpuUsage?(): { readonly user: number; readonly system: number } };
}

/** The processor time of this process in milliseconds, if the runtime reports it. */
function cpuMs(): number | undefined {
  const usage = (globalThis as Usage).process?.cpuUsage?.();
  return usage && (usage.user + usage.system) / 1_000;
}

/**
 * Counts calls that take longer than 50 ms of processor time. Wall-clock time alone would blame callbacks for a busy machine. Reading the processor time
 * takes longer than most calls, so it is read only for the next 1,000 calls after one that was slow by the clock.
 */
export class SlowCalls {
  slow = 0;
  slowestMs = 0;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly isReal: boolean;
  private probes = 0;
  private cpuFrom: number | undefined;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.clock = clock;
    this.isReal = clock.now === systemClock.now;
  }

  begin(): number {
    this.cpuFrom = this.isReal && this.probes > 0 ? cpuMs() : undefined;
    return this.clock.now();
  }

  /** @param atLeastMs - raises the limit of 50 ms. */
  end(from: number, atLeastMs = 0): void {
    const tookMs = this.clock.now() - from;
    const before = this.cpuFrom;
    if (this.probes > 0) this.probes -= 1;
    if (tookMs <= slowMs || tookMs <= atLeastMs) return;
    this.probes = probedCalls;
    const cpu = this.isReal ? cpuMs() : undefined;
    // Where processor time is not available, the clock decides.
    if (cpu !== undefined && before === undefined) return;
    const spentMs = cpu === undefined || before === undefined ? tookMs : cpu - before;
    if (spentMs <= slowMs || spentMs <= atLeastMs) return;
    this.slow += 1;
    if (spentMs > this.slowestMs) this.slowestMs = spentMs;
  }
}
