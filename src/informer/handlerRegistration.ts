import type { BufferOptions } from '../delta/buffers/eventBuffer.js';
import type { WaitOptions } from './waiting/waitFor.js';

/** Options of `addEventHandler`. */
export interface HandlerOptions<T> extends BufferOptions {
  /** The handler gets only the objects that pass; an object that begins to pass is added, one that ceases to pass is deleted. */
  readonly filter?: ((object: T) => boolean) | undefined;
  /**
   * How often every cached object is passed again as an update, in milliseconds; `0` for never, else at least 1,000, rounded up to a multiple of the informer's
   * check period. @defaultValue the informer's `resyncPeriodMs`
   */
  readonly resyncPeriodMs?: number | undefined;
  /** The longest time, in milliseconds, for which calls may block the event loop. @defaultValue no limit */
  readonly sliceMs?: number | undefined;
  /** The handler's name in messages. */
  readonly name?: string | undefined;
}

/** A handler of an informer. */
export interface HandlerRegistration {
  readonly name: string;
  /** Whether the informer has synced, and the handler has processed the first list or its snapshot. */
  hasSynced(): boolean;
  /**
   * Resolves when `hasSynced` is true. Does not start the informer. Rejects with the signal's reason, after `timeoutMs`, or with `ERR_STOPPED` when the handler
   * is removed or the informer stopped before that.
   */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Removes the handler: it is not called again, and its queue is dropped. A call under way continues. */
  remove(): void;
  /** Resolves when the handler has been removed, or the informer stopped, and none of its calls is running. */
  readonly removed: Promise<void>;
}
