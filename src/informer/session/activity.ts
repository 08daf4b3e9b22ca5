/** Knows which slow callbacks are running. */
export class Activity {
  private readonly running = new Set<Promise<unknown>>();

  /** Takes note of a callback's promise. */
  track(promise: Promise<unknown>): void {
    this.running.add(promise);
    const forget = (): boolean => this.running.delete(promise);
    promise.then(forget, forget);
  }

  /** Resolves when none is running any more. */
  async whenQuiet(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }
}
