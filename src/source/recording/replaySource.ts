import { concatMap, defer, EMPTY, from, map, type Observable, type ObservableInput, of, type SchedulerLike, timer } from 'rxjs';
import type { SourceEvent } from '../../api/events.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { entryOf, headerOf } from './recording.js';

/** Options of {@link replaySource}. */
export interface ReplaySourceOptions {
  /** How many times as fast as it was: 1 by default, `Infinity` for everything at once, synchronously. */
  readonly speed?: number | undefined;
  /** The clock and the timer. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}

const optionRules: OptionRules<ReplaySourceOptions> = { speed: rules.number({ above: 0, infinite: true }), scheduler: rules.scheduler };

function shifted<T>(event: SourceEvent<T>, begin: number, speed: number): SourceEvent<T> {
  if (event.type !== 'status' || event.nextAttemptAt === undefined) return event;
  return { ...event, nextAttemptAt: begin + event.nextAttemptAt / (Number.isFinite(speed) ? speed : 1) };
}

/**
 * Makes a source of what `recordSource` has written, for `createInformer` or any operator that takes one.
 *
 * ```text
 * lines   (hipra)            h: the header, each other line with its time
 * result  --i--p--r--a|      speed 1
 * result  -i-p-r-a|          speed 2
 * result  (ipra|)            speed Infinity
 * ```
 *
 * - Each subscription begins anew. It completes with the last event, and so does an informer over it, which keeps its content; append `NEVER` for
 *   one that is to stay.
 * - It fails with the error of the lines, or with an InformerError (`ERR_DECODE`) that names the first line that is none of a recording. A line
 *   that a crash cut off is the last: everything before it has been emitted then. Empty lines do not count.
 * - Lines that come before they are due wait in memory.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { createInformer, type V1Pod } from 'rx-informer';
 * import { replaySource } from 'rx-informer/pipeline';
 *
 * const pods = createInformer(replaySource<V1Pod>(readFileSync('pods.ndjson', 'utf8').split('\n'), { speed: 10 }));
 * pods.resource$.subscribe((event) => console.log(event.type));
 * ```
 *
 * @param lines - The lines, as a list, an Observable or an async iterable.
 * @throws TypeError when an option is wrong.
 */
export function replaySource<T>(lines: ObservableInput<string>, options: ReplaySourceOptions = {}): Observable<SourceEvent<T>> {
  checkOptions('replaySource', options, optionRules);
  const { speed = 1 } = options;
  const scheduler = schedulerOf(options.scheduler);
  return defer(() => {
    const begin = scheduler.now();
    return from(lines).pipe(
      concatMap((line, index) => {
        if (line.trim() === '') return EMPTY;
        if (index === 0) {
          headerOf(line);
          return EMPTY;
        }
        const entry = entryOf<T>(line, index + 1);
        const event = shifted(entry.event, begin, speed);
        const wait = begin + entry.at / speed - scheduler.now();
        return wait > 0 ? timer(wait, scheduler).pipe(map(() => event)) : of(event);
      }),
    );
  });
}
