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
  /** Batches, by their first frame. */
  private readonly batches = new Map<WatchFrame | undefined, readonly WatchFrame[]>();

  /** The frame of a change for a watch; reused from another watch with the same representation. */
  frame(change: Change, representation: Representation, type: WatchFrame['type'], make: () => WatchFrame): WatchFrame {
    const known = this.shown.get(change);
    if (known?.representation === representation && known.frame.type === type) return known.frame;
    const frame = make();
    this.shown.set(change, { representation, frame });
    return frame;
  }

  /** A list of frames, the same instance for every watch that sends these frames. */
  batch(frames: readonly WatchFrame[]): readonly WatchFrame[] {
    const known = this.batches.get(frames[0]);
    if (known?.length === frames.length && known.every((frame, at) => frame === frames[at])) return known;
    this.batches.set(frames[0], frames);
    return frames;
  }
}
