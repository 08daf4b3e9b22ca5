/**
 * The time and the timers of everything here. An RxJS scheduler is one: with a `TestScheduler` or a `VirtualTimeScheduler`, virtual time moves whatever takes a
 * clock.
 */
export interface Clock {
  /** Milliseconds since any fixed moment. Must not go backwards. */
  now(): number;
  /** Calls `work` once, `delayMs` milliseconds from now and never before `schedule` has returned. Unsubscribing cancels that. */
  schedule(work: () => void, delayMs?: number): { unsubscribe(): void };
}

/** The longest delay that the timers of all JavaScript runtimes keep, in milliseconds: 24.8 days. A longer one fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1;
