/**
 * The time of a queue: the current moment, and one-shot timers.
 *
 * `systemClock` is the real one; `schedulerClock` makes one of an RxJS scheduler, so that virtual time moves a queue.
 */
export interface Clock {
  /** Milliseconds since any fixed moment. Must not go backwards. */
  now(): number;
  /** Calls back once, `delayMs` milliseconds from now and never before `setTimer` has returned. The result cancels the timer. */
  setTimer(callback: () => void, delayMs: number): () => void;
}
