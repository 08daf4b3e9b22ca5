/** How often something took time, and how much. */
export interface DurationFigures {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
}

/** Adds durations up. @internal */
export class Durations {
  private count = 0;
  private sumMs = 0;
  private maxMs = 0;

  add(ms: number): void {
    this.count += 1;
    this.sumMs += ms;
    this.maxMs = Math.max(this.maxMs, ms);
  }

  read(): DurationFigures {
    return { count: this.count, sumMs: this.sumMs, maxMs: this.maxMs };
  }
}
