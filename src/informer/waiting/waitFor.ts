import { merge, Observable, type SchedulerLike, take, throwIfEmpty } from 'rxjs';
import { onAbort } from '../../api/onAbort.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';

/** Bounds of a wait. */
export interface WaitOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects after this many milliseconds; `Infinity` for no limit. @defaultValue Infinity */
  readonly timeoutMs?: number | undefined;
}

/** The rules of the bounds of a wait. @internal */
export const waitRules: OptionRules<WaitOptions> = { signal: rules.signal, timeoutMs: rules.durationMs };

interface Wait {
  /** The function whose options are checked, for messages. */
  readonly owner: string;
  readonly scheduler: SchedulerLike;
  readonly tooLate: () => Error;
  readonly ended: () => Error;
}

/** A promise of the first value of `condition`, with the given limits. A value that is there already counts, even if the signal is aborted. */
export function waitFor<V>(condition: Observable<V>, options: WaitOptions, { owner, scheduler, tooLate, ended }: Wait): Promise<V> {
  return new Promise((resolve, reject) => {
    checkOptions(owner, options, waitRules);
    const { signal, timeoutMs = Infinity } = options;
    const limit$ = new Observable<never>((subscriber) => {
      if (signal !== undefined) subscriber.add(onAbort(signal, () => subscriber.error(signal.reason)));
      if (timeoutMs !== Infinity) subscriber.add(scheduler.schedule(() => subscriber.error(tooLate()), timeoutMs));
    });
    merge(condition.pipe(throwIfEmpty(ended)), limit$)
      .pipe(take(1))
      .subscribe({ next: resolve, error: reject });
  });
}
