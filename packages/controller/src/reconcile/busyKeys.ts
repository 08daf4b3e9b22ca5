import type { TriggerReason } from './trigger.js';

/** The number of keys counted per minute; a key that is called again and again is among them. */
const countedKeys = 4096;
const windowMs = 60_000;
/** Calls further apart than this do not count as consecutive. */
const pauseMs = 1_000;

interface KeyCalls {
  readonly calls: number;
  readonly lastAt: number;
  /** When the current series of consecutive calls began. */
  readonly since: number;
}

/** A key and its calls within a minute: their number, and for how many milliseconds they came without a pause of a second. */
export interface BusyKey {
  readonly key: string;
  readonly calls: number;
  readonly forMs: number;
  readonly cause: string;
}

/** Finds the key with the most calls per minute. */
export class BusyKeys {
  private readonly counts = new Map<string, KeyCalls>();
  private busiest: BusyKey | undefined;
  private before: BusyKey | undefined;
  private from = -Infinity;

  note(key: string, now: number, reasons: readonly TriggerReason[]): void {
    this.turn(now);
    const known = this.counts.get(key);
    if (known === undefined && this.counts.size >= countedKeys) return;
    const calls = (known?.calls ?? 0) + 1;
    const since = known !== undefined && now - known.lastAt <= pauseMs ? known.since : now;
    this.counts.set(key, { calls, lastAt: now, since });
    if (calls <= (this.busiest?.calls ?? 0)) return;
    const cause = reasons.map(({ source, cause: by }) => `${source} (${by})`).join(', ');
    this.busiest = { key, calls, forMs: now - since, cause };
  }

  /** The busiest key of this minute or the last one, whichever had more calls. */
  read(now: number): BusyKey | undefined {
    this.turn(now);
    return (this.before?.calls ?? 0) > (this.busiest?.calls ?? 0) ? this.before : this.busiest;
  }

  private turn(now: number): void {
    const passedMs = now - this.from;
    if (passedMs < windowMs) return;
    this.before = passedMs < 2 * windowMs ? this.busiest : undefined;
    this.busiest = undefined;
    this.counts.clear();
    this.from = now;
  }
}
