import { type SchedulerLike, Subscription } from 'rxjs';

/** Items to process, some of them in each turn of the event loop. */
export interface InTurns<T> {
  readonly items: readonly T[];
  /** How many items are processed per turn. */
  readonly perTurn: number;
  readonly scheduler: SchedulerLike;
  readonly each: (item: T) => void;
  readonly done?: () => void;
}

/**
 * Calls `each` for all items in order: for the first `perTurn` now, for the others in later turns of the event loop, so that other work
 * runs in between.
 */
export function inTurns<T>({ items, perTurn, scheduler, each, done }: InTurns<T>): Subscription {
  const running = new Subscription();
  const turn = (from: number): void => {
    for (const item of items.slice(from, from + perTurn)) if (!running.closed) each(item);
    if (running.closed) return;
    if (from + perTurn < items.length) {
      running.add(scheduler.schedule(() => turn(from + perTurn), 0));
      return;
    }
    running.unsubscribe();
    done?.();
  };
  turn(0);
  return running;
}
