import type { Representation } from '../read/representation.js';
import type { Change } from '../store/bucket.js';
import type { WatchFrame } from './watchSink.js';

interface Shown {
  readonly representation: Representation;
  readonly frame: WatchFrame;
}

/**
 * Caches the encoded frames that several watches send, for one round of the hub.
 */
export class SharedFrames {
  private readonly shown = new Map<Change, Shown>();
  /** By their first frames. */
  private readonly batches = new Map<WatchFrame | undefined, readonly WatchFrame[]>();

  /** What a watch shows of a change, from another one where that shows the same. */
  frame(change: Change, representation: Representation, type: WatchFrame['type'], make: () => WatchFrame): WatchFrame {
    const known = this.shown.get(change);
    if (known?.representation === representation && known.frame.type === type) return known.frame;
    const frame = make();
    this.shown.set(change, { representation, frame });
    return frame;
  }

  /** The same list of frames for every watch that sends these. */
  batch(frames: readonly WatchFrame[]): readonly WatchFrame[] {
    const known = this.batches.get(frames[0]);
    if (known?.length === frames.length && known.every((frame, at) => frame === frames[at])) return known;
    this.batches.set(frames[0], frames);
    return frames;
  }
}
