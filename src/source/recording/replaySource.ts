import { concatMap, defer, EMPTY, from, map, type Observable, type ObservableInput, of, type SchedulerLike, timer } from 'rxjs';
import type { SourceEvent } from '../../api/events.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { entryOf, headerOf } from './recording.js';

/** Options of {@link replaySource}. */
export interface ReplaySourceOptions {
  /** The factor by which it runs faster than recorded; `Infinity` emits everything at once, synchronously. @defaultValue 1 */
  readonly speed?: number | undefined;
  /** The clock of the timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

const optionRules: OptionRules<ReplaySourceOptions> = { speed: rules.number({ above: 0, infinite: true }), scheduler: rules.scheduler };

function shifted<T>(event: SourceEvent<T>, begin: number, speed: number): SourceEvent<T> {
  if (event.type !== 'status' || event.nextAttemptAt === undefined) return event;
  return { ...event, nextAttemptAt: begin + event.nextAttemptAt / (Number.isFinite(speed) ? speed : 1) };
}

/**
 * Replays the lines of `recordSource`, as a source for `createInformer` or any operator that takes one.
 *
 * ```text
 * lines   (hipra)            h: the header, each other line with its time
 * result  --i--p--r--a|      speed 1
 * result  -i-p-r-a|          speed 2
 * result  (ipra|)            speed Infinity
 * ```
 *
 * - Each subscription starts from the beginning. It completes after the last event, and so does an informer over it, which keeps its content; append `NEVER`
 *   to keep it open.
 * - Fails with the error of the lines, or with an InformerError (`ERR_DECODE`) that names the first line that is not an entry. If the last line was cut off by
 *   a crash, everything before it is emitted first. Empty lines are ignored.
 * - Lines that arrive early are kept in memory until they are due.
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
