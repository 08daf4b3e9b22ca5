import { Observable, type Observer, type Subscriber, takeUntil } from 'rxjs';

/**
 * Subscribes to `source` on behalf of `subscriber`, so that a source that emits while it is being subscribed to stops as soon as `subscriber` is closed.
 *
 * What the observer has no callback for goes to `subscriber`.
 */
export function follow<T>(source: Observable<T>, subscriber: Subscriber<never>, observer: Partial<Observer<T>>): void {
  const closed = new Observable<void>((notifier) => {
    const notify = (): void => notifier.next();
    subscriber.add(notify);
    return () => subscriber.remove(notify);
  });
  const observed = source.pipe(takeUntil(closed)).subscribe({
    error: (error: unknown) => subscriber.error(error),
    complete: () => subscriber.complete(),
    ...observer,
  });
  subscriber.add(observed);
}
