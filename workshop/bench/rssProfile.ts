import type { Figures } from './runSide.js';

/** A few MB of body between two samples. */
const itemsBetween = 200;

/** Samples the memory of this process while a body of this many items arrives: the peak in each quarter of it. */
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

  /** Bytes above the memory at the start. The kernel's own peak also covers the time between two samples. */
  figures(): Figures {
    if (this.seen !== this.expected) throw new Error(`Expected ${this.expected} items, got ${this.seen}`);
    const peak = process.resourceUsage().maxRSS * 1024 - this.start;
    return { peak, ...Object.fromEntries(this.quarters.map((bytes, at) => [`quarter${at + 1}`, bytes])) };
  }
}
