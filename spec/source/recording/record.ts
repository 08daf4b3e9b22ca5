import type { Observable, Subscription } from 'rxjs';

/** The values that an observable has emitted so far. */
export interface Recording<V> {
  readonly values: V[];
  readonly errors: unknown[];
  readonly subscription: Subscription;
}

export function record<V>(source: Observable<V>): Recording<V> {
  const values: V[] = [];
  const errors: unknown[] = [];
  const subscription = source.subscribe({ next: (value) => values.push(value), error: (error: unknown) => errors.push(error) });
  return { values, errors, subscription };
}
