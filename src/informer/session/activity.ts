/** Knows which slow callbacks are running. */
export class Activity {
  private readonly running = new Set<Promise<unknown>>();
  private calls = 0;

  /** Makes a call that counts as running until it returns. */
  call<R>(callback: () => R): R {
    this.calls += 1;
    try {
      return callback();
    } finally {
      this.calls -= 1;
    }
  }

  isBusy(): boolean {
    return this.calls > 0 || this.running.size > 0;
  }

  /**
   * Takes note of the promise of what a callback has returned; undefined when that is nothing to wait for.
   *
   * A thenable, such as the query of a query builder, may begin its work with every call of `then`: it is called once.
   */
  track(returned: unknown): Promise<unknown> | undefined {
    const promise = promiseOf(returned);
    if (promise === undefined) return undefined;
    this.running.add(promise);
    const forget = (): boolean => this.running.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  /** Resolves when none is running any more. */
  async whenQuiet(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }
}

function promiseOf(value: unknown): Promise<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return typeof (value as { readonly then?: unknown }).then === 'function' ? Promise.resolve(value) : undefined;
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the getter has thrown
    return Promise.reject(error);
  }
}
