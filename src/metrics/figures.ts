import { concat, defer, interval, map, type Observable, of, type SchedulerLike } from 'rxjs';
import { checkOptions, rules } from '../api/options.js';
import { schedulerOf } from '../rx/schedulerOf.js';

/** A number of durations and their sum. */
export interface DurationFigures {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
}

/** Sums up durations. @internal */
export class Durations {
  private count = 0;
  private sumMs = 0;
  private maxMs = 0;

  add(ms: number): void {
    this.count += 1;
    this.sumMs += ms;
    this.maxMs = Math.max(this.maxMs, ms);
  }

  read(): DurationFigures {
    return { count: this.count, sumMs: this.sumMs, maxMs: this.maxMs };
  }
}

/** Options of functions that emit figures. @internal */
interface FiguresOptions {
  readonly intervalMs?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Emits the result of `read` on subscription, and then every `intervalMs`.
 *
 * @throws TypeError when an option of `owner` is wrong.
 * @internal
 */
export function figuresEvery<F>(owner: string, options: FiguresOptions, read: () => F): Observable<F> {
  checkOptions(owner, options, { intervalMs: rules.durationOf({ above: 0 }), scheduler: rules.scheduler });
  const figures$ = interval(options.intervalMs ?? 500, schedulerOf(options.scheduler)).pipe(map(read));
  return concat(
    defer(() => of(read())),
    figures$,
  );
}
