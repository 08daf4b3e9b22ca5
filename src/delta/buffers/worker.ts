import type { SchedulerLike, Subscription } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { SlowCalls } from '../../api/clock.js';
import { flattenChange, type SharingFigures } from '../share/shareWithSnapshot.js';
import type { EventBuffer } from './eventBuffer.js';

/** A change with more events is handled in a later task: applying it to the cache has already blocked the current one. */
const longChange = 1000;

interface WorkerOptions<T> {
  readonly buffer: EventBuffer<T>;
  /** Handles an event, and calls `done`, at once or later, when the next one may follow. Must not throw. */
  readonly run: (event: ResourceEvent<T>, done: () => void) => void;
  /** Called when the buffer is full; the worker has stopped by then. */
  readonly onOverflow: () => void;
  /** Events are handled for at most this many milliseconds per task; then the event loop may run other tasks. */
  readonly sliceMs?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
  /** The trampoline in which the store changes and events are pushed. Without it, `push` has been called for every change of the store whenever the worker runs. */
  readonly turns?: Trampoline | undefined;
}

/** The number of workers that have been made. */
let made = 0;

/** The figures of a worker: `slow` and `slowestMs` are those of its calls. */
export interface WorkerFigures extends Pick<SharingFigures, 'slow' | 'slowestMs'> {
  /** A number of its own. */
  readonly number: number;
  /** The number of queued events. */
  readonly waiting: number;
  readonly delivered: number;
  /** How long its queue has not been empty, in milliseconds. */
  readonly behindMs: number;
}

/** Hands the events of a buffer to a function, one at a time. */
export class Worker<T> {
  private readonly options: WorkerOptions<T>;
  private readonly sliceMs: number;
  private readonly scheduler: SchedulerLike;
  private timer: Subscription | undefined;
  private busy = false;
  private working = false;
  private later = false;
  private stopped = false;
  /** When the current slice began; undefined between slices; `-Infinity` when the slice is used up, so that nothing is taken before the next task. */
  private sliceStart: number | undefined;
  /** Since when the worker has been busy without a break. */
  private busySince: number | undefined;
  private delivered = 0;
  private readonly calls: SlowCalls;
  private readonly number = (made += 1);

  constructor(options: WorkerOptions<T>) {
    this.options = options;
    this.sliceMs = options.sliceMs ?? Infinity;
    this.scheduler = schedulerOf(options.scheduler);
    this.calls = new SlowCalls(this.scheduler);
  }

  figures(): WorkerFigures {
    const { number, delivered, busySince } = this;
    const { slow, slowestMs } = this.calls;
    const waiting = this.waiting();
    const behindMs = waiting === 0 || busySince === undefined ? 0 : this.scheduler.now() - busySince;
    return { number, waiting, delivered, slow, slowestMs, behindMs };
  }

  take(change: ResourceChange<T>): void {
    if (change.events.length > longChange) this.endSlice();
    flattenChange(change, this);
  }

  next(event: ResourceEvent<T>): void {
    if (this.stopped) return;
    if (this.options.buffer.push(event)) {
      if (this.sliceStart !== -Infinity) this.work();
      return;
    }
    this.stop();
    this.options.onOverflow();
  }

  waiting(): number {
    return this.options.buffer.size();
  }

  /** Drops the queue and takes no further events. A call under way continues. */
  stop(): void {
    this.stopped = true;
    this.options.buffer.clear();
    this.timer?.unsubscribe();
  }

  /** @param isSettled - whether every change of the store has been pushed. */
  private work(isSettled = this.options.turns?.isBusy() !== true): void {
    const { buffer, run } = this.options;
    if (this.working) return;
    this.working = true;
    while (!this.busy && !this.stopped && buffer.size() > 0) {
      if (buffer.overflown === true && !isSettled) {
        this.workLater();
        break;
      }
      const event = this.mayContinue() ? buffer.shift() : undefined;
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

  /** Whether this slice may continue. The first call of a slice also schedules its end, a new task. */
  private mayContinue(): boolean {
    if (this.sliceMs === Infinity) return true;
    if (this.sliceStart === -Infinity) return false;
    if (this.sliceStart === undefined) this.beginSlice(this.scheduler.now());
    else if (this.scheduler.now() - this.sliceStart >= this.sliceMs) this.sliceStart = -Infinity;
    return this.sliceStart !== -Infinity;
  }

  /** Takes nothing before the next task of the event loop. */
  private endSlice(): void {
    if (this.sliceMs === Infinity || this.stopped) return;
    if (this.sliceStart === undefined) this.beginSlice(-Infinity);
    else this.sliceStart = -Infinity;
  }

  private beginSlice(from: number): void {
    this.sliceStart = from;
    this.timer = this.scheduler.schedule(() => {
      this.sliceStart = undefined;
      this.work();
    });
  }
}
