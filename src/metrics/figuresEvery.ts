import { concat, defer, interval, map, type Observable, of, type SchedulerLike } from 'rxjs';

/**
 * What is read at subscription, and then every `intervalMs`.
 * @internal
 */
export function figuresEvery<F>(intervalMs: number, scheduler: SchedulerLike, read: () => F): Observable<F> {
  return concat(
    defer(() => of(read())),
    interval(intervalMs, scheduler).pipe(map(read)),
  );
}
