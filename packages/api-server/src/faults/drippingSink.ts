import type { Clock } from 'rx-informer/workqueue';
import type { WatchFrame, WatchSink } from '../watch/watchSink.js';
import type { DripFault } from './fault.js';

/**
 * Sends the bytes of a watch in pieces of the configured size, one at a time. The watch waits as soon as a piece is full, so nothing piles
 * up here.
 */
export class DrippingSink implements WatchSink {
  onDrain: (() => void) | undefined;
  onClose: (() => void) | undefined;
  private readonly sink: WatchSink;
  private readonly clock: Clock;
  private readonly drip: Pick<DripFault, 'bytes' | 'everyMs'>;
  private waiting: Buffer = Buffer.alloc(0);
  private timer: ReturnType<Clock['schedule']> | undefined;
  private full = false;
  private ending = false;

  constructor(sink: WatchSink, clock: Clock, drip: Pick<DripFault, 'bytes' | 'everyMs'>) {
    this.sink = sink;
    this.clock = clock;
    this.drip = drip;
  }

  send(frames: readonly WatchFrame[]): boolean {
    this.waiting = Buffer.concat([this.waiting, ...frames.flatMap(({ parts }) => parts)]);
    this.timer ??= this.clock.schedule(() => this.sendPiece(), this.drip.everyMs);
    this.full = this.waiting.length >= this.drip.bytes;
    return !this.full;
  }

  end(): void {
    if (this.waiting.length > 0) this.ending = true;
    else this.sink.end();
  }

  destroy(): void {
    this.timer?.unsubscribe();
    this.sink.destroy();
  }

  /** Sends everything held back: the fault was removed. */
  flush(): void {
    this.timer?.unsubscribe();
    this.timer = undefined;
    this.sendBytes(this.waiting.length);
  }

  private sendPiece(): void {
    this.timer = undefined;
    this.sendBytes(this.drip.bytes);
    if (this.waiting.length > 0) this.timer = this.clock.schedule(() => this.sendPiece(), this.drip.everyMs);
  }

  private sendBytes(size: number): void {
    const piece = this.waiting.subarray(0, size);
    this.waiting = this.waiting.subarray(size);
    if (piece.length > 0) this.sink.send([{ type: 'ADDED', resourceVersion: 0, parts: [piece] }]);
    if (this.ending && this.waiting.length === 0) this.sink.end();
    if (!this.full || this.waiting.length >= this.drip.bytes) return;
    this.full = false;
    this.onDrain?.();
  }
}
