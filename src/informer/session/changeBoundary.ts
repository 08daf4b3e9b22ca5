import { type MonoTypeOperatorFunction, Observable } from 'rxjs';

/**
 * Tells when a value begins to go through everything below, and when it is through.
 */
export function changeBoundary<T>(begin: (value: T) => void, end: (value: T) => void): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) =>
      source.subscribe({
        next: (value) => {
          begin(value);
          subscriber.next(value);
          end(value);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
}
