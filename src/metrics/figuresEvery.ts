import { concat, defer, interval, map, type Observable, of, type SchedulerLike } from 'rxjs';

/**
 * What is read at subscription, and then every `intervalMs`.
 *
 * @throws TypeError when the interval is none.
 * @internal
 */
export function figuresEvery<F>(intervalMs: number, scheduler: SchedulerLike, read: () => F): Observable<F> {
  if (!(intervalMs > 0)) throw new TypeError(`Expected \`intervalMs\` to be a number > 0, got ${String(intervalMs)}`);
  return concat(
    defer(() => of(read())),
    interval(intervalMs, scheduler).pipe(map(read)),
  );
}
