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
