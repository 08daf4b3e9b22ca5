import type { Figures } from './runSide.js';

/** A few MB of body between two looks. */
const itemsBetween = 200;

/**
 * Watches the memory of this process while a body of so many items comes in: the peak of each quarter of it.
 */
export class RssProfile {
  private readonly expected: number;
  private readonly start = process.memoryUsage.rss();
  private readonly quarters = [0, 0, 0, 0];
  private seen = 0;
  private lookAt = 0;

  constructor(expected: number) {
    this.expected = expected;
  }

  take(items: number): void {
    this.seen += items;
    if (this.seen < this.lookAt) return;
    this.lookAt = this.seen + itemsBetween;
    const quarter = Math.min(3, Math.floor((4 * this.seen) / this.expected));
    this.quarters[quarter] = Math.max(this.quarters[quarter] ?? 0, process.memoryUsage.rss() - this.start);
  }

  /** Bytes above what the process had at the start. The kernel's own peak misses nothing between two looks. */
  figures(): Figures {
    if (this.seen !== this.expected) throw new Error(`Expected ${this.expected} items, got ${this.seen}`);
    const peak = process.resourceUsage().maxRSS * 1024 - this.start;
    return { peak, ...Object.fromEntries(this.quarters.map((bytes, at) => [`quarter${at + 1}`, bytes])) };
  }
}
