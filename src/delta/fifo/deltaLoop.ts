import type { DeltaQueue, QueuedItem } from './deltaQueue.js';

/** What a form of the queue does with its items. */
interface DeltaWork<T, M> {
  /** How many items may be processed at once. */
  readonly most: () => number;
  /** Begins to process an item. `ended` of the loop must follow, as after `mark`. */
  readonly item: (item: QueuedItem<T>) => void;
  /** Everything queued before the mark has been processed. The next item begins after it. */
  readonly mark: (mark: M) => void;
  /** Nothing is queued, and nothing is being processed. */
  readonly rest: () => void;
}

/** A mark, its position in the queue, and how many keys are queued between the mark before and it. */
interface Mark<M> {
  readonly mark: M;
  readonly place: number;
  remaining: number;
}

/**
 * Begins the items of a queue in order, and each mark between them when everything queued before it has been processed.
 *
 * All work begins in one loop, so neither work that ends at once nor a producer that queues more meanwhile causes recursion.
 */
export class DeltaLoop<T, M> {
  private readonly queue: DeltaQueue<T>;
  private readonly work: DeltaWork<T, M>;
  private readonly marks: Mark<M>[] = [];
  private active = 0;
  private atMark = false;
  private running = false;

  constructor(queue: DeltaQueue<T>, work: DeltaWork<T, M>) {
    this.queue = queue;
    this.work = work;
  }

  /** Sets a mark behind everything queued. */
  mark(mark: M): void {
    const earlier = this.marks.reduce((sum, { remaining }) => sum + remaining, 0);
    this.marks.push({ mark, place: this.queue.nextPlace, remaining: this.queue.size - earlier });
  }

  /** Begins what can begin. */
  run(): void {
    if (this.running) return;
    this.running = true;
    while (this.beginNext());
    this.running = false;
    if (this.active === 0 && this.queue.size === 0 && this.marks.length === 0) this.work.rest();
  }

  /** Takes the next item if fewer than `most` are being processed; `ended` must follow. */
  take(most: number): QueuedItem<T> | undefined {
    const [next] = this.marks;
    const item = this.active < most ? this.queue.take(next?.place) : undefined;
    if (item === undefined) return undefined;
    if (next !== undefined) next.remaining -= 1;
    this.active += 1;
    return item;
  }

  /** An item or a mark has been processed. */
  ended(): void {
    this.active -= 1;
    this.atMark = false;
    this.run();
  }

  private beginNext(): boolean {
    const { work, marks } = this;
    const [next] = marks;
    if (this.atMark) return false;
    if (next?.remaining === 0) {
      if (this.active > 0) return false;
      marks.shift();
      this.active += 1;
      this.atMark = true;
      work.mark(next.mark);
      return true;
    }
    const item = this.take(work.most());
    if (item !== undefined) work.item(item);
    return item !== undefined;
  }
}
