/**
 * Where the server takes its time from, so that a test can hold it.
 */
export interface ServerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after the delay; the function returned cancels that. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

const longestDelayMs = 2_147_483_647;

/** The machine's clock. Its timers never keep the process alive. */
export const systemClock: ServerClock = {
  now: () => Date.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), longestDelayMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

let lastSecond = NaN;
let lastText = '';

/** A time as the API writes it: RFC 3339 with whole seconds. Within one second it is written once. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
