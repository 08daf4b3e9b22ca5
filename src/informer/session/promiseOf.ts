/**
 * The promise of what a callback has returned; undefined when that is nothing to wait for.
 *
 * A thenable, such as the query of a query builder, may begin its work with every call of `then`: it is called once.
 */
export function promiseOf(value: unknown): Promise<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    if (typeof (value as { readonly then?: unknown }).then !== 'function') return undefined;
  } catch (error) {
    return new Promise((_, reject) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the getter has thrown
      reject(error);
    });
  }
  return Promise.resolve(value);
}
