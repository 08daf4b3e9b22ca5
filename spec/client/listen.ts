import type { Observable, Subscription } from 'rxjs';

/**
 * What an observable has emitted so far.
 */
export interface Heard<T> {
  readonly values: readonly T[];
  readonly errors: readonly unknown[];
  readonly subscription: Subscription;
}

/** Subscribes and records the values. */
export function listen<T>(source: Observable<T>): Heard<T> {
  const values: T[] = [];
  const errors: unknown[] = [];
  const subscription = source.subscribe({ next: (value) => values.push(value), error: (error: unknown) => errors.push(error) });
  return { values, errors, subscription };
}
