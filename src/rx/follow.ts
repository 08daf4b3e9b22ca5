import { catchError, concatWith, defer, filter, identity, NEVER, type Observable, type Observer, type Subscriber } from 'rxjs';

/**
 * Subscribes to `source` on behalf of `subscriber`, so that a source that emits while it is being subscribed to stops as soon as `subscriber` is closed.
 *
 * What the observer has no callback for goes to `subscriber`, and so does what a callback throws.
 */
export function follow<T>(source: Observable<T>, subscriber: Subscriber<never>, { next, error, complete }: Partial<Observer<T>>): void {
  const ending =
    <V>(callback: (value: V) => void) =>
    (value: V) => {
      callback(value);
      return NEVER;
    };
  const followed = source.pipe(
    // One operator alone on the way of each value.
    filter((value): value is never => {
      next?.(value);
      return false;
    }),
    error === undefined ? identity : catchError(ending(error)),
    complete === undefined ? identity : concatWith(defer(() => ending(complete)(undefined))),
  );
  followed.subscribe(subscriber);
}
