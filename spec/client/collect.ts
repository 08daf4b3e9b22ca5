import type { Observable } from 'rxjs';

/**
 * All values of an observable that completes.
 */
export async function collect<T>(source: Observable<T>): Promise<T[]> {
  const values: T[] = [];
  await source.forEach((value) => values.push(value));
  return values;
}
