import type { Deltas } from '../../api/events/delta.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { KeyFunc, ObjectOrKey } from '../../cache/keys/keyFunc.js';
import { type DeltaCompression, deltaCompressions } from './compressDeltas.js';
import type { KnownObjects } from './knownObjects.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';

/**
 * What is done with an item that was taken from a DeltaFIFO.
 *
 * `isInInitialList`: everything that the first `replace` queued has not been processed yet.
 */
export type PopProcess<T, R = unknown> = (deltas: Deltas<T>, isInInitialList: boolean) => R;

/** Options of `createDeltaFifo`. */
export interface DeltaFifoStoreOptions<T> {
  /** The key of an object as it comes, before `transform`. By default its namespace and name. */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /**
   * What the consumer has: deletions of what neither it nor the queue has are ignored, `replace` deletes what it has and the list has not, and
   * `resync` queues all of it. By default only the queue is walked through.
   */
  readonly knownObjects?: KnownObjects<T> | undefined;
  /**
   * What is queued for an object, instead of the object itself; tombstones and what `resync` queues are left alone. When it throws or returns
   * nothing, so does the call, and nothing is queued. With `compress: 'latest'` it must keep `metadata.uid`.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** Default `'duplicateDeletes'`, the only compression that client-go has. */
  readonly compress?: DeltaCompression | undefined;
  /**
   * Whether `replace` queues objects as `Replaced`, or as `Sync` like a resync.
   *
   * @defaultValue true, as in client-go's informers; the constructor of its DeltaFIFO has `false`.
   */
  readonly emitDeltaTypeReplaced?: boolean | undefined;
  /** Called for known objects that could not be read (`ERR_KEY`). By default they are not reported. */
  readonly onError?: ((error: InformerError) => void) | undefined;
}

/**
 * A queue of objects to process, each with everything that happened to it since it was last processed.
 *
 * A key is in the queue once, at the place of its first delta, whatever is queued for it later. So the order of the deltas of one key is that of the
 * events, and the order of keys need not be.
 *
 * What it stores are the deltas of the keys that wait: `list`, `get` and `getByKey` return copies of them.
 *
 * @see client-go: `DeltaFIFO`
 */
export interface DeltaFifo<T> {
  /**
   * Queues `Added`.
   *
   * @throws KeyError, or InformerError `ERR_TRANSFORM`, when the object has no key or cannot be transformed. So do the others that take objects.
   */
  add(object: T): void;
  /** Queues `Updated`. */
  update(object: T): void;
  /** Queues `Deleted`, with `finalStateUnknown` for a tombstone or an explicit key. Ignored when the key is neither queued nor known. */
  delete(object: ObjectOrKey<T>): void;
  /**
   * Queues every object of a complete list, and then a `Deleted` with `finalStateUnknown` for each key that is queued or known and not in the
   * list; that holds the newest state queued or known. `resourceVersion` is that of the list; the queue has no use for it.
   */
  replace(objects: readonly T[], resourceVersion?: string): void;
  /** Queues `Sync` for every known object whose key is not queued. */
  resync(): void;
  /** What is queued: the newest object of each key. */
  list(): Deltas<T>[];
  /** The keys that wait, the next one first. */
  listKeys(): string[];
  /** What waits for the key of an object, or of deltas. */
  get(object: ObjectOrKey<T> | Deltas<T>): Deltas<T> | undefined;
  /** The deltas queued for a key, if there are any. */
  getByKey(key: string): Deltas<T> | undefined;
  /**
   * The key of an object, of a tombstone, or of deltas.
   *
   * @throws KeyError when there is none, as for an empty array of deltas.
   */
  keyOf(object: ObjectOrKey<T> | Deltas<T>): string;
  /** Queues deltas that were taken, unless something newer waits for their key; returns whether it did. */
  addIfNotPresent(deltas: Deltas<T>): boolean;
  /**
   * Takes the next item, as soon as there is one, and resolves with it when it has been processed.
   *
   * One item at a time: pops wait for each other, served in turn. With an item in the queue and no other pop at work, `process` is called before
   * `pop` returns. When it returns a promise or an observable, the item has been processed when that is done.
   *
   * Rejects with what the process throws or fails with: the item is lost then, unless it is a `RequeueError`. Rejects with an InformerError
   * `ERR_STOPPED` when the queue is closed and empty.
   */
  pop(process: PopProcess<T>): Promise<Deltas<T>>;
  /**
   * Takes the next item and processes it at once; undefined when there is none, or when another one is being processed. Throws what the process
   * throws, as `pop` rejects. What the process returns is not waited for.
   */
  tryPop(process: PopProcess<T>): Deltas<T> | undefined;
  /**
   * Whether the first list has been processed: true as soon as everything that the first `replace` queued has been popped and processed, or when
   * something else was the first thing to be queued. False before anything was queued.
   */
  hasSynced(): boolean;
  /** Makes pops reject once the queue is empty. What is queued stays, and more can be queued. */
  close(): void;
  /** Whether `close` was called. */
  isClosed(): boolean;
}

/** The rules of the options that both forms of the queue have. */
export const queueRules: OptionRules<Pick<DeltaFifoStoreOptions<never>, 'keyFunc' | 'knownObjects' | 'compress' | 'onError'>> = {
  keyFunc: rules.function,
  knownObjects: rules.withMethods('listKeys', 'getByKey'),
  compress: rules.oneOf(...deltaCompressions),
  onError: rules.function,
};
