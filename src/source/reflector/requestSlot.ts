import { defer, Subject, takeUntil, type Observable } from 'rxjs';

/**
 * What is told of a request.
 *
 * @internal
 */
export interface RequestObserver<V> {
  next(value: V): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * A place for one request at a time.
 *
 * @internal
 */
export interface RequestSlot {
  /** Sends a request in place of the one under way. A factory that throws is a request that fails. */
  start<V>(request: () => Observable<V>, observer: RequestObserver<V>): void;
  /** Aborts the request under way. */
  stop(): void;
}

/**
 * Holds one request at a time. A request that was stopped or replaced is aborted and tells nothing more, also while it emits synchronously.
 *
 * @internal
 */
export function createRequestSlot(): RequestSlot {
  const ended = new Subject<void>();
  let current = 0;
  const stop = (): void => {
    current += 1;
    ended.next();
  };
  return {
    start(request, observer) {
      stop();
      const mine = current;
      defer(request)
        .pipe(takeUntil(ended))
        .subscribe({
          next: (value) => observer.next(value),
          error: (error: unknown) => {
            if (mine === current) observer.error(error);
          },
          complete: () => {
            if (mine === current) observer.complete();
          },
        });
    },
    stop,
  };
}
