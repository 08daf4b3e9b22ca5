import type { Clock } from 'rx-informer/workqueue';
import type { Cluster } from '../cluster.js';
import type { Representation } from '../read/representation.js';
import { selects, type ListSelection } from '../read/selection.js';
import { sliceMs, yieldNow } from '../read/yieldNow.js';
import { StatusError } from '../status/statusError.js';
import { departureOf, type Bucket, type Change } from '../store/bucket.js';
import { valuesBetween, type OrderedMap } from '../store/orderedMap.js';
import type { StoreSnapshot } from '../store/store.js';
import type { StoredObject } from '../store/storedObject.js';
import type { WatchOptions } from './watchOptions.js';
import { SharedFrames } from './sharedFrames.js';
import type { WatchFrame, WatchSink } from './watchSink.js';

const frameEnd = Buffer.from('}\n');
const frameStarts = Object.fromEntries(
  ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'].map((type) => [type, Buffer.from(`{"type":"${type}","object":`)]),
) as Readonly<Record<WatchFrame['type'], Buffer>>;

/** The size up to which events are combined into one write, in bytes. */
const batchSize = 64 * 1024;
const bookmarkBeforeEndMs = 2_000;

function frame(type: WatchFrame['type'], resourceVersion: number, object: readonly Buffer[]): WatchFrame {
  return { type, resourceVersion, parts: [frameStarts[type], ...object, frameEnd] };
}

function sizeOfFrame({ parts }: WatchFrame): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** The dependencies and settings of a watch. */
export interface WatchSessionInit {
  readonly bucket: Bucket;
  readonly selection: ListSelection;
  readonly representation: Representation;
  readonly options: WatchOptions;
  /** The initial state, if it is not the newest. */
  readonly state?: StoreSnapshot | undefined;
  readonly sink: WatchSink;
  /** Called once when the watch is over. */
  readonly onEnd: () => void;
}

/**
 * One watch: a position in the history of its bucket, moved on as fast as the client reads.
 *
 * It keeps no queue. When a client falls so far behind that the history no longer contains its position, its watch is ended; a slow client costs no
 * memory, and does not delay others.
 */
export class WatchSession {
  readonly bucket: Bucket;
  private readonly cluster: Cluster;
  private readonly init: WatchSessionInit;
  /** The position of the next change. */
  private position = 0;
  /** Changes up to this version are skipped. */
  private startVersion = 0;
  private blocked = false;
  /** Whether unsent changes remain because the client was too slow. */
  private behind = false;
  private live = false;
  private over = false;
  private endTimer: ReturnType<Clock['schedule']> | undefined;
  private bookmarkTimer: ReturnType<Clock['schedule']> | undefined;
  private lastBookmarkTimer: ReturnType<Clock['schedule']> | undefined;
  /** Continues the initial state after the client has caught up. */
  private resume = (): void => undefined;

  constructor(cluster: Cluster, init: WatchSessionInit) {
    this.cluster = cluster;
    this.init = init;
    this.bucket = init.bucket;
    init.sink.onDrain = () => {
      this.blocked = false;
      this.resume();
      // A watch that is up to date gets newer changes from the hub, together with other watches.
      if (this.behind) this.pump();
      else if (this.position < this.bucket.endPosition) cluster.watches.wake(this.bucket);
    };
    init.sink.onClose = () => this.stop();
  }

  /** Sends the initial state if requested, then the changes. */
  async start(): Promise<void> {
    const { options } = this.init;
    const { store, clock } = this.cluster;
    if (options.timeoutMs < 0) {
      this.end();
      return;
    }
    this.endTimer = clock.schedule(() => this.end(), options.timeoutMs);
    const { state } = this.init;
    const now = state?.resourceVersion ?? store.resourceVersion;
    const root = state === undefined ? this.bucket.root : state.roots.get(this.bucket.id);
    const fromNow = options.initialEvents || options.resourceVersion === undefined || options.resourceVersion === 0;
    this.startVersion = fromNow ? now : options.resourceVersion;
    this.position = this.bucket.positionAfter(Math.min(this.startVersion, now));
    if (options.bookmarks) this.scheduleBookmarks(options.timeoutMs);
    if (options.initialEvents) await this.sendState(root, now);
    if (this.over) return;
    if (options.bookmarks && options.marker) this.bookmark(now, true);
    // What changed since an older state may be forgotten.
    if (now < this.bucket.exactFloor) this.end();
    this.live = true;
    this.pump();
  }

  /** Sends the changes since the last call, as fast as the client reads. */
  pump(shared: SharedFrames = new SharedFrames()): void {
    if (!this.live || this.over) return;
    while (!this.blocked && this.position < this.bucket.endPosition) {
      if (!this.bucket.holds(this.position)) break;
      try {
        this.sendBatch(shared);
      } catch (error) {
        // The conversion webhook failed for this object.
        if (!(error instanceof StatusError)) throw error;
        this.fail(error);
        return;
      }
    }
    if (!this.bucket.holds(this.position)) this.end();
  }

  /** Ends the watch with an ERROR event. */
  fail({ status }: StatusError): void {
    if (this.over) return;
    this.init.sink.send([frame('ERROR', 0, [Buffer.from(JSON.stringify(status))])]);
    this.end();
  }

  /** Ends the watch normally. */
  end(): void {
    if (this.over) return;
    this.stop();
    this.init.sink.end();
  }

  /** Stops the watch: the connection is closed. */
  stop(): void {
    if (this.over) return;
    this.over = true;
    this.endTimer?.unsubscribe();
    this.bookmarkTimer?.unsubscribe();
    this.lastBookmarkTimer?.unsubscribe();
    this.resume();
    this.init.onEnd();
  }

  private canSend(): boolean {
    return this.live && !this.blocked && !this.over;
  }

  private send(frames: readonly WatchFrame[]): void {
    if (!this.init.sink.send(frames)) this.blocked = true;
  }

  private sendBatch(shared: SharedFrames): void {
    const frames: WatchFrame[] = [];
    let size = 0;
    while (size < batchSize && this.position < this.bucket.endPosition) {
      const change = this.bucket.changeAt(this.position);
      this.position += 1;
      const shown = change === undefined || change.resourceVersion <= this.startVersion ? undefined : this.frameOf(change, shared);
      if (shown === undefined) continue;
      frames.push(shown);
      size += sizeOfFrame(shown);
    }
    this.behind = this.position < this.bucket.endPosition;
    if (frames.length > 0) this.send(shared.batch(frames));
  }

  /** The frame of a change for this watch: by the change, the object may begin or cease to match. */
  private frameOf(change: Change, shared: SharedFrames): WatchFrame | undefined {
    const { selection, representation } = this.init;
    const was = change.previous !== undefined && selects(selection, change.previous);
    const is = change.type !== 'DELETED' && selects(selection, change.object);
    if (!is && !was) return undefined;
    const type = !is ? 'DELETED' : was ? 'MODIFIED' : 'ADDED';
    const make = (): WatchFrame => frame(type, change.resourceVersion, representation.object(is ? change.object : departureOf(change)));
    return shared.frame(change, representation, type, make);
  }

  private async sendState(root: OrderedMap<StoredObject>, resourceVersion: number): Promise<void> {
    const { selection, representation } = this.init;
    let frames: WatchFrame[] = [];
    let size = 0;
    let sliceEnd = performance.now() + sliceMs;
    for (const object of valuesBetween(root, selection.from, selection.to)) {
      if (selection.matches(object)) {
        const added = frame('ADDED', resourceVersion, representation.object(object));
        frames.push(added);
        size += sizeOfFrame(added);
      }
      const late = performance.now() > sliceEnd;
      if (size < batchSize && !late) continue;
      if (frames.length > 0) this.send(frames);
      frames = [];
      size = 0;
      if (this.blocked) await this.drained();
      else if (late) await yieldNow();
      if (late) sliceEnd = performance.now() + sliceMs;
      if (this.over) return;
    }
    if (frames.length > 0) this.send(frames);
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      this.resume = () => {
        this.resume = () => undefined;
        resolve();
      };
    });
  }

  private scheduleBookmarks(timeoutMs: number): void {
    const { clock, bookmarkIntervalMs } = this.cluster;
    const again = (): void => {
      this.regularBookmark();
      if (!this.over) this.bookmarkTimer = clock.schedule(again, bookmarkIntervalMs);
    };
    this.bookmarkTimer = clock.schedule(again, bookmarkIntervalMs);
    if (timeoutMs > bookmarkBeforeEndMs)
      this.lastBookmarkTimer = clock.schedule(() => this.regularBookmark(), timeoutMs - bookmarkBeforeEndMs);
  }

  private regularBookmark(): void {
    this.pump();
    if (!this.canSend()) return;
    const version = this.cluster.features.progressNotify ? this.cluster.store.resourceVersion : this.bucket.lastVersion;
    if (version > this.startVersion) this.bookmark(version, false);
  }

  private bookmark(resourceVersion: number, initialEventsEnd: boolean): void {
    const object = this.init.representation.bookmark(resourceVersion, initialEventsEnd);
    this.send([frame('BOOKMARK', resourceVersion, [Buffer.from(object)])]);
  }
}
