import type { SchedulerLike, Subscription } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import type { ConsumerFacts } from '../../api/running/facts.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { SlowCalls } from '../slowCalls.js';
import { flattenChange } from '../share/shareWithSnapshot.js';
import type { EventBuffer } from './eventBuffer.js';

/** A change of more events is not begun in the turn of the event loop that has made it, which has taken its time. */
const longChange = 1000;

interface WorkerOptions<T> {
  readonly buffer: EventBuffer<T>;
  /** Takes an event, and calls `done` when the next one may come: at once or later. Must not throw. */
  readonly run: (event: ResourceEvent<T>, done: () => void) => void;
  /** Called when the buffer has no room; the worker has stopped by then. */
  readonly onOverflow: () => void;
  /** For how many milliseconds events are handed over at a stretch; then whatever else waits in the event loop has its turn. */
  readonly sliceMs?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
  /** The turns in which the store changes and events are pushed; without them, the store has no changes that have not been pushed. */
  readonly turns?: Trampoline | undefined;
}

/** Hands events to something that takes them one at a time. */
export class Worker<T> {
  private readonly options: WorkerOptions<T>;
  private readonly sliceMs: number;
  private readonly scheduler: SchedulerLike;
  private timer: Subscription | undefined;
  private busy = false;
  private working = false;
  private later = false;
  private stopped = false;
  /** When the stretch began that the event loop has not ended yet; `-Infinity` when it is over, so that nothing is taken before it has ended. */
  private stretchedFrom: number | undefined;
  /** Since when it has had something to do without a break. */
  private busySince: number | undefined;
  private delivered = 0;
  private readonly calls: SlowCalls;

  constructor(options: WorkerOptions<T>) {
    this.options = options;
    this.sliceMs = options.sliceMs ?? Infinity;
    this.scheduler = schedulerOf(options.scheduler);
    this.calls = new SlowCalls(options.scheduler);
  }

  figures(): Omit<ConsumerFacts, 'name'> {
    const { delivered, busySince } = this;
    const { slow, slowestMs } = this.calls;
    const waiting = this.waiting();
    return {
      waiting,
      delivered,
      slow,
      slowestMs,
      behindMs: waiting === 0 || busySince === undefined ? 0 : this.scheduler.now() - busySince,
    };
  }

  take(change: ResourceChange<T>): void {
    if (change.events.length > longChange) this.rest();
    flattenChange(change, this);
  }

  next(event: ResourceEvent<T>): void {
    if (this.stopped) return;
    if (this.options.buffer.push(event)) {
      if (this.stretchedFrom !== -Infinity) this.work();
      return;
    }
    this.stop();
    this.options.onOverflow();
  }

  waiting(): number {
    return this.options.buffer.size();
  }

  /** Drops what waits, and takes nothing more. What runs, goes on. */
  stop(): void {
    this.stopped = true;
    this.options.buffer.clear();
    this.timer?.unsubscribe();
  }

  /** @param atRest - whether everything that has changed in the store has been pushed. */
  private work(atRest = this.options.turns?.isBusy() !== true): void {
    const { buffer, run } = this.options;
    if (this.working) return;
    this.working = true;
    while (!this.busy && !this.stopped && buffer.size() > 0) {
      if (buffer.overflown === true && !atRest) {
        this.workLater();
        break;
      }
      const event = this.mayGoOn() ? buffer.shift() : undefined;
      if (event === undefined) break;
      this.busy = true;
      const from = this.calls.begin();
      this.busySince ??= from;
      run(event, this.done);
      this.delivered += 1;
      this.calls.end(from);
    }
    if (!this.busy && buffer.size() === 0) this.busySince = undefined;
    this.working = false;
  }

  private workLater(): void {
    if (this.later) return;
    this.later = true;
    this.options.turns?.run(() => {
      this.later = false;
      this.work(true);
    });
  }

  private readonly done = (): void => {
    this.busy = false;
    this.work();
  };

  /** Whether this stretch may go on. The first of a stretch also asks for the turn of the event loop that ends it. */
  private mayGoOn(): boolean {
    if (this.sliceMs === Infinity) return true;
    if (this.stretchedFrom === -Infinity) return false;
    if (this.stretchedFrom === undefined) this.stretch(this.scheduler.now());
    else if (this.scheduler.now() - this.stretchedFrom >= this.sliceMs) this.stretchedFrom = -Infinity;
    return this.stretchedFrom !== -Infinity;
  }

  /** Nothing is taken before the event loop has come round. */
  private rest(): void {
    if (this.sliceMs === Infinity || this.stopped) return;
    if (this.stretchedFrom === undefined) this.stretch(-Infinity);
    else this.stretchedFrom = -Infinity;
  }

  private stretch(from: number): void {
    this.stretchedFrom = from;
    this.timer = this.scheduler.schedule(() => {
      this.stretchedFrom = undefined;
      this.work();
    });
  }
}
