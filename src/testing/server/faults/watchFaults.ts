import { initialEventsEndAnnotation } from '../../../api/watchEvent.js';
import type { ServerClock } from '../clock.js';
import type { HookedRequest } from '../hooks.js';
import { asJsonObject, valueAt, without, type Json } from '../json.js';
import type { WatchFrame, WatchSink } from '../watch/watchSink.js';
import type { FaultSet } from './faultSet.js';
import { statusOfCode } from './faultStatus.js';

function bytesOf({ parts }: WatchFrame): Buffer {
  return Buffer.concat(parts);
}

function objectOf(frame: WatchFrame): Json {
  return valueAt(JSON.parse(bytesOf(frame).toString()) as Json, 'object') ?? null;
}

function isMarker(frame: WatchFrame): boolean {
  return frame.type === 'BOOKMARK' && bytesOf(frame).includes(initialEventsEndAnnotation);
}

function withoutAnnotation(frame: WatchFrame): WatchFrame {
  const object = asJsonObject(objectOf(frame));
  const metadata = without(asJsonObject(object['metadata']), 'annotations');
  return { ...frame, parts: [Buffer.from(`${JSON.stringify({ type: frame.type, object: { ...object, metadata } })}\n`)] };
}

/**
 * Stands before the connection of a watch. Faults that are brought in while it is open strike from its next event on.
 */
class FaultySink implements WatchSink {
  onDrain: (() => void) | undefined;
  onClose: (() => void) | undefined;
  private readonly sink: WatchSink;
  private readonly faults: FaultSet;
  private readonly clock: ServerClock;
  private readonly request: HookedRequest;
  /** What waits: the watch is told to wait too, so nothing but the end of one batch is ever here. */
  private waiting: WatchFrame[] = [];
  private held: WatchFrame | undefined;
  private halted = false;
  private over = false;
  private frozen = false;
  private endsLater = false;
  private readonly forget: () => void;

  constructor(faults: FaultSet, clock: ServerClock, request: HookedRequest, sink: WatchSink) {
    this.faults = faults;
    this.clock = clock;
    this.request = request;
    this.sink = sink;
    sink.onDrain = () => this.resume();
    sink.onClose = () => {
      this.forget();
      this.onClose?.();
    };
    this.forget = faults.onRemoval(() => {
      if (this.frozen) this.thaw();
    });
  }

  send(frames: readonly WatchFrame[]): boolean {
    if (this.over) return true;
    this.waiting.push(...frames);
    return this.flush();
  }

  end(): void {
    if (this.over) return;
    if (this.frozen) {
      this.endsLater = true;
      return;
    }
    this.over = true;
    this.forget();
    this.sink.end();
  }

  destroy(): void {
    this.over = true;
    this.forget();
    this.sink.destroy();
  }

  private resume(): void {
    if (this.flush()) this.onDrain?.();
  }

  private thaw(): void {
    this.frozen = false;
    this.halted = false;
    this.resume();
    if (this.endsLater) this.end();
  }

  /** Sends what waits as far as nothing stops it; false when something does. */
  private flush(): boolean {
    if (this.faults.isEmpty && this.held === undefined && !this.halted && !this.over) {
      const all = this.waiting;
      this.waiting = [];
      return all.length === 0 || this.sink.send(all);
    }
    while (!this.halted && !this.over) {
      const frame = this.waiting.shift();
      if (frame === undefined) return true;
      if (!this.pass(frame)) return false;
    }
    return this.over;
  }

  /** Sends one event, or does to it what a fault wants; false when the watch has to wait. */
  private pass(frame: WatchFrame): boolean {
    const { faults, request } = this;
    if (faults.strike(request, 'freeze', ({ at }) => at === 'body') !== undefined) return this.freeze(frame);
    if (this.strikeConnection(frame)) return true;
    const withheld = this.withhold(frame);
    if (withheld === undefined) return true;
    const fault = faults.strike(request, 'event', ({ eventType }) => eventType === undefined || eventType === withheld.type);
    if (fault?.action === 'drop') return true;
    if (fault?.action === 'delay') return this.delay(withheld, fault.ms ?? 0);
    if (fault?.action === 'swap' && this.held === undefined) {
      this.held = withheld;
      return true;
    }
    const sent = [withheld, ...(fault?.action === 'repeat' ? [withheld] : []), ...(this.held === undefined ? [] : [this.held])];
    this.held = undefined;
    return this.sink.send(sent);
  }

  private freeze(frame: WatchFrame): false {
    this.waiting.unshift(frame);
    this.frozen = true;
    this.halted = true;
    return false;
  }

  private delay(frame: WatchFrame, ms: number): false {
    this.halted = true;
    this.clock.setTimer(() => {
      this.halted = false;
      if (this.over) return;
      this.sink.send([frame]);
      this.resume();
    }, ms);
    return false;
  }

  /** Cuts or ends the watch before this event, or inside it. */
  private strikeConnection(frame: WatchFrame): boolean {
    const { faults, request } = this;
    const cut = faults.strike(request, 'cut', ({ at }) => at !== 'headers');
    if (cut !== undefined) {
      const bytes = bytesOf(frame);
      const size = cut.at === 'line' ? (cut.afterBytes ?? Math.floor(bytes.length / 2)) : 0;
      if (size > 0) this.sink.send([{ ...frame, parts: [bytes.subarray(0, size)] }]);
      this.over = true;
      // Later, so that what was written before goes out.
      setImmediate(() => (cut.how === 'end' ? request.incoming.socket.end() : this.destroy()));
      return true;
    }
    const ended = faults.strike(request, 'endWatch');
    if (ended === undefined) return false;
    if (ended.errorCode !== undefined) {
      const { status } = statusOfCode(request, ended.errorCode);
      this.sink.send([
        { type: 'ERROR', resourceVersion: 0, parts: [Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)] },
      ]);
    }
    this.end();
    return true;
  }

  private withhold(frame: WatchFrame): WatchFrame | undefined {
    if (frame.type !== 'BOOKMARK') return frame;
    const marker = isMarker(frame);
    const fault = this.faults.strike(this.request, 'withhold', ({ what }) => what === 'bookmarks' || marker);
    if (fault === undefined) return frame;
    return fault.what === 'annotation' ? withoutAnnotation(frame) : undefined;
  }
}

/** The sink of a watch, with the faults before it. */
export function faultySink(faults: FaultSet, clock: ServerClock, request: HookedRequest, sink: WatchSink): WatchSink {
  return new FaultySink(faults, clock, request, sink);
}
