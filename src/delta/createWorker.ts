import { asyncScheduler, type SchedulerLike, Subscription } from 'rxjs';
import type { ResourceEvent } from '../api/resourceEvent.js';
import type { EventBuffer } from './eventBuffer.js';

/**
 * Hands events to something that takes them one at a time.
 */
export interface Worker<T> {
  push(event: ResourceEvent<T>): void;
  /** Drops what waits, and takes nothing more. What runs, goes on. */
  stop(): void;
}

/**
 * What a worker is made of.
 */
export interface WorkerOptions<T> {
  readonly buffer: EventBuffer<T>;
  /** Takes an event, and calls `done` when the next one may come: at once or later. Must not throw. */
  readonly run: (event: ResourceEvent<T>, done: () => void) => void;
  /** Called when the buffer has no room; the worker has stopped by then. */
  readonly onOverflow: () => void;
  /** For how many milliseconds events are handed over at a stretch; then whatever else waits in the event loop has its turn. */
  readonly sliceMs?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * @throws TypeError when it is none.
 */
export function checkSliceMs(sliceMs: number | undefined): void {
  if (sliceMs !== undefined && !(typeof sliceMs === 'number' && sliceMs > 0)) {
    throw new TypeError(`Expected \`sliceMs\` to be a number of milliseconds > 0, got ${String(sliceMs)}`);
  }
}

export function createWorker<T>({ buffer, run, onOverflow, sliceMs = Infinity, scheduler = asyncScheduler }: WorkerOptions<T>): Worker<T> {
  const turns = new Subscription();
  let busy = false;
  let working = false;
  let stopped = false;
  /** When the stretch began that the event loop has not ended yet. */
  let stretchedFrom: number | undefined;

  /** Whether this stretch may go on. The first of a stretch also asks for the turn of the event loop that ends it. */
  const mayGoOn = (): boolean => {
    if (sliceMs === Infinity) return true;
    if (stretchedFrom !== undefined) return scheduler.now() - stretchedFrom < sliceMs;
    stretchedFrom = scheduler.now();
    turns.add(
      scheduler.schedule(() => {
        stretchedFrom = undefined;
        work();
      }),
    );
    return true;
  };

  const done = (): void => {
    busy = false;
    if (!working) work();
  };

  function work(): void {
    if (working) return;
    working = true;
    while (!busy && !stopped && !buffer.isEmpty() && mayGoOn()) {
      const event = buffer.shift();
      if (event === undefined) break;
      busy = true;
      run(event, done);
    }
    working = false;
  }

  const stop = (): void => {
    stopped = true;
    buffer.clear();
    turns.unsubscribe();
  };

  return {
    stop,
    push: (event) => {
      if (stopped) return;
      if (buffer.push(event)) {
        work();
        return;
      }
      stop();
      onOverflow();
    },
  };
}
