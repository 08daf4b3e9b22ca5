import { initialEventsEndAnnotation } from 'rx-informer/internal';
import type { Clock } from 'rx-informer/workqueue';
import type { HookedRequest } from '../hooks.js';
import { connectionOf } from '../http/connectionOf.js';
import { asJsonObject, valueAt, without, type Json } from '../json.js';
import type { WatchFrame, WatchSink } from '../watch/watchSink.js';
import { DrippingSink } from './drippingSink.js';
import type { Fault } from './fault.js';
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
 * Wraps the connection of a watch. Faults added while it is open strike at its next event, or at once with `atOnce`.
 */
class FaultySink implements WatchSink {
  onDrain: (() => void) | undefined;
  onClose: (() => void) | undefined;
  private sink: WatchSink;
  private readonly faults: FaultSet;
  private readonly clock: Clock;
  private readonly request: HookedRequest;
  /** Held-back frames: at most the rest of one batch, because the watch waits as well. */
  private waiting: WatchFrame[] = [];
  private held: WatchFrame | undefined;
  private halted = false;
  private over = false;
  private frozenBy: Fault | undefined;
  private endsLater = false;
  private dripping: { readonly fault: Fault; readonly sink: DrippingSink; readonly before: WatchSink } | undefined;
  private readonly forget: () => void;

  constructor(faults: FaultSet, clock: Clock, request: HookedRequest, sink: WatchSink) {
    this.faults = faults;
    this.clock = clock;
    this.request = request;
    this.sink = sink;
    sink.onDrain = () => this.resume();
    sink.onClose = () => {
      this.over = true;
      this.forget();
      this.onClose?.();
    };
    const forgetInjection = faults.onInjection((fault) => this.onInjection(fault));
    const forgetRemoval = faults.onRemoval((fault) => this.onRemoval(fault));
    this.forget = () => {
      forgetInjection();
      forgetRemoval();
    };
  }

  send(frames: readonly WatchFrame[]): boolean {
    if (this.over) return true;
    if (this.waiting.length === 0 && this.undisturbed()) return this.sink.send(frames);
    this.waiting.push(...frames);
    return this.flush();
  }

  end(): void {
    if (this.over) return;
    if (this.halted) {
      this.endsLater = true;
      return;
    }
    this.over = true;
    this.forget();
    if (this.held !== undefined) this.sink.send([this.held]);
    this.sink.end();
  }

  destroy(): void {
    this.over = true;
    this.forget();
    this.sink.destroy();
  }

  private onInjection(fault: Fault): void {
    const atOnce = (fault.type === 'cut' || fault.type === 'endWatch') && fault.atOnce === true;
    if (atOnce && !this.over && this.frozenBy === undefined) this.strikeConnection(undefined);
  }

  private onRemoval(fault: Fault): void {
    if (this.dripping?.fault === fault) {
      this.sink = this.dripping.before;
      this.dripping.sink.flush();
      this.dripping = undefined;
    }
    if (this.frozenBy !== fault) return;
    this.frozenBy = undefined;
    this.goOn();
  }

  /** Sends the frames that were held back. */
  private goOn(): void {
    this.halted = false;
    if (this.over) return;
    this.resume();
  }

  private resume(): void {
    if (!this.flush()) return;
    if (this.endsLater) this.end();
    else this.onDrain?.();
  }

  private undisturbed(): boolean {
    return this.faults.isEmpty && this.held === undefined && !this.halted && !this.over;
  }

  /** Sends held-back frames until a fault stops it; returns false if one does. */
  private flush(): boolean {
    if (this.undisturbed()) {
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

  /** Sends one event, changed by its fault if there is one. Returns false when the watch must wait. */
  private pass(frame: WatchFrame): boolean {
    const { faults, request } = this;
    const frozen = faults.strike(request, 'freeze', ({ at }) => at === 'body');
    if (frozen !== undefined) return this.freeze(frozen, frame);
    this.dripFromNowOn();
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

  private freeze(fault: Fault, frame: WatchFrame): false {
    this.waiting.unshift(frame);
    this.frozenBy = fault;
    this.halted = true;
    return false;
  }

  private dripFromNowOn(): void {
    if (this.dripping !== undefined) return;
    const fault = this.faults.strike(this.request, 'drip');
    if (fault === undefined) return;
    const sink = new DrippingSink(this.sink, this.clock, fault);
    sink.onDrain = () => this.resume();
    this.dripping = { fault, sink, before: this.sink };
    this.sink = sink;
  }

  private delay(frame: WatchFrame, ms: number): false {
    this.halted = true;
    this.clock.schedule(() => {
      if (!this.over) this.sink.send([frame]);
      this.goOn();
    }, ms);
    return false;
  }

  /** Cuts or ends the watch before or inside this event, or between events. */
  private strikeConnection(frame: WatchFrame | undefined): boolean {
    const { faults, request } = this;
    const cut = faults.strike(request, 'cut', ({ at, atOnce }) => at !== 'headers' && (frame !== undefined || atOnce === true));
    if (cut !== undefined) {
      this.over = true;
      this.sendPart(frame, cut.at === 'line' ? cut.afterBytes : 0);
      // In a later task, so that earlier writes are sent.
      setImmediate(() => (cut.how === 'end' ? connectionOf(request.incoming).end() : this.destroy()));
      return true;
    }
    const truncated = frame === undefined ? undefined : faults.strike(request, 'truncate');
    if (truncated !== undefined) this.sendPart(frame, truncated.afterBytes);
    const ended = truncated ?? faults.strike(request, 'endWatch', ({ atOnce }) => frame !== undefined || atOnce === true);
    if (ended === undefined) return false;
    if (ended.type === 'endWatch' && ended.errorCode !== undefined) {
      const { status } = statusOfCode(request, ended.errorCode);
      this.sink.send([
        { type: 'ERROR', resourceVersion: 0, parts: [Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)] },
      ]);
    }
    this.end();
    return true;
  }

  /** Sends the beginning of an event: half of it if no size is given. */
  private sendPart(frame: WatchFrame | undefined, size: number | undefined): void {
    if (frame === undefined) return;
    const bytes = bytesOf(frame);
    const part = bytes.subarray(0, size ?? Math.floor(bytes.length / 2));
    if (part.length > 0) this.sink.send([{ ...frame, parts: [part] }]);
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
export function faultySink(faults: FaultSet, clock: Clock, request: HookedRequest, sink: WatchSink): WatchSink {
  return new FaultySink(faults, clock, request, sink);
}
