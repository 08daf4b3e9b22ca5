import { isObservable, lastValueFrom } from 'rxjs';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import type { Delta, Deltas } from '../../api/events.js';
import { checkOptions, describeValue, rules } from '../../api/options.js';
import { noteTransformed } from '../../api/transformed.js';
import {
  DeletedFinalStateUnknown,
  ExplicitKey,
  KeyError,
  type KeyFunc,
  keyOf,
  keyOfObjectOrKey,
  metaNamespaceKey,
  type ObjectOrKey,
} from '../../cache/keys.js';
import type { DeltaCompression } from './compressDeltas.js';
import { type KnownObjects, queueRules, RequeueError } from './deltaProcessor.js';
import { DeltaQueue, type QueuedItem } from './deltaQueue.js';

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

interface WaitingPop<T> {
  readonly process: PopProcess<T>;
  readonly resolve: (deltas: Deltas<T>) => void;
  readonly reject: (error: unknown) => void;
}

function isAwaitable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

/** The promise of a result that takes time; undefined for one that is there already. */
function pendingResult(result: unknown): Promise<unknown> | undefined {
  if (isObservable(result)) return lastValueFrom(result, { defaultValue: undefined });
  return isAwaitable(result) ? Promise.resolve(result) : undefined;
}

function expectFunction(process: unknown): void {
  if (typeof process !== 'function') throw new TypeError(`Expected \`process\` to be a function, got ${describeValue(process)}`);
}

/** The queue behind `createDeltaFifo`. */
class ObjectDeltaFifo<T> implements DeltaFifo<T> {
  private readonly queue: DeltaQueue<T>;
  private readonly keyFunc: KeyFunc<T>;
  private readonly transform: ((object: T) => T) | undefined;
  private readonly typeOfListed: 'Replaced' | 'Sync';
  private pops: WaitingPop<T>[] = [];
  private populated = false;
  /** How many items of the first list have not been processed. Items are taken in their order, so it does not matter which. */
  private initialCount = 0;
  private busy = false;
  private closed = false;

  constructor(options: DeltaFifoStoreOptions<T>) {
    const { compress = 'duplicateDeletes', emitDeltaTypeReplaced = true, knownObjects, onError } = options;
    // Objects of unknown type: metaNamespaceKey checks what it is given.
    this.keyFunc = options.keyFunc ?? (metaNamespaceKey as KeyFunc<unknown>);
    this.transform = options.transform;
    this.typeOfListed = emitDeltaTypeReplaced ? 'Replaced' : 'Sync';
    this.queue = new DeltaQueue({
      compress,
      knownObjects,
      onUnreadable: (key, cause) =>
        onError?.(
          new InformerError({ code: 'ERR_KEY', message: `The known object ${key} could not be read: ${messageOf(cause)}`, cause, key }),
        ),
    });
  }

  add(object: T): void {
    this.upsert('Added', object);
  }

  update(object: T): void {
    this.upsert('Updated', object);
  }

  delete(object: ObjectOrKey<T>): void {
    const key = keyOfObjectOrKey(this.keyFunc, object);
    if (object instanceof DeletedFinalStateUnknown || object instanceof ExplicitKey) {
      const last = object instanceof ExplicitKey ? undefined : object.object;
      this.queue.pushDeletion({ type: 'Deleted', key, object: last, finalStateUnknown: true });
    } else {
      this.queue.pushDeletion({ type: 'Deleted', key, object: this.transformed(key, object), finalStateUnknown: false });
    }
    this.populated = true;
    this.serve();
  }

  replace(objects: readonly T[]): void {
    if (!Array.isArray(objects)) throw new TypeError(`Expected \`objects\` to be an array, got ${typeof objects}`);
    const deltas = (objects as readonly T[]).map((object): Delta<T> => {
      const key = keyOf(this.keyFunc, object);
      return { type: this.typeOfListed, key, object: this.transformed(key, object) };
    });
    const listed = new Set(deltas.map(({ key }) => key));
    const vanished = this.queue.presentKeys().filter((key) => !listed.has(key));
    for (const delta of deltas) this.queue.push(delta);
    for (const key of vanished) this.queue.pushVanished(key);
    if (!this.populated) this.initialCount = this.queue.size;
    this.populated = true;
    this.serve();
  }

  resync(): void {
    this.queue.pushKnown();
    this.serve();
  }

  list(): Deltas<T>[] {
    return this.listKeys().map((key) => this.getByKey(key) ?? []);
  }

  listKeys(): string[] {
    return this.queue.keys();
  }

  get(object: ObjectOrKey<T> | Deltas<T>): Deltas<T> | undefined {
    return this.getByKey(this.keyOf(object));
  }

  getByKey(key: string): Deltas<T> | undefined {
    return this.queue.get(key);
  }

  keyOf(object: ObjectOrKey<T> | Deltas<T>): string {
    if (!Array.isArray(object)) return keyOfObjectOrKey(this.keyFunc, object as ObjectOrKey<T>);
    const newest = (object as Deltas<T>).at(-1);
    if (newest === undefined) throw new KeyError(object, new TypeError('Expected at least one delta, got an empty array'));
    return newest.key;
  }

  addIfNotPresent(deltas: Deltas<T>): boolean {
    if (!Array.isArray(deltas)) throw new TypeError(`Expected \`deltas\` to be an array of deltas, got ${typeof deltas}`);
    const added = this.queue.putBack({ key: this.keyOf(deltas as Deltas<T>), deltas: deltas as Deltas<T> });
    this.populated = true;
    this.serve();
    return added;
  }

  pop(process: PopProcess<T>): Promise<Deltas<T>> {
    return new Promise((resolve, reject) => {
      expectFunction(process);
      this.pops.push({ process, resolve, reject });
      this.serve();
    });
  }

  tryPop(process: PopProcess<T>): Deltas<T> | undefined {
    expectFunction(process);
    const item = this.busy ? undefined : this.queue.take();
    if (item === undefined) return undefined;
    this.busy = true;
    try {
      process(item.deltas, !this.hasSynced());
      this.finish(item);
    } catch (error) {
      this.finish(item, error);
      throw error;
    } finally {
      this.serve();
    }
    return item.deltas;
  }

  hasSynced(): boolean {
    return this.populated && this.initialCount === 0;
  }

  close(): void {
    this.closed = true;
    this.serve();
  }

  isClosed(): boolean {
    return this.closed;
  }

  private upsert(type: 'Added' | 'Updated', object: T): void {
    const key = keyOf(this.keyFunc, object);
    this.queue.push({ type, key, object: this.transformed(key, object) });
    this.populated = true;
    this.serve();
  }

  private transformed(key: string, object: T): T {
    if (this.transform === undefined) return object;
    try {
      const value: unknown = this.transform(object);
      if (value === undefined || value === null) throw new TypeError(`Expected \`transform\` to return an object, got ${String(value)}`);
      return noteTransformed(value as T);
    } catch (cause) {
      throw new InformerError({ code: 'ERR_TRANSFORM', message: `The transform failed for ${key}: ${messageOf(cause)}`, cause, key });
    }
  }

  /** Hands items to the pops that wait, for as long as there are both. */
  private serve(): void {
    while (!this.busy && this.pops.length > 0) {
      const item = this.queue.take();
      if (item === undefined) {
        if (!this.closed) return;
        const error = new InformerError({ code: 'ERR_STOPPED', message: 'The queue is closed, and nothing is left in it' });
        for (const { reject } of this.pops.splice(0)) reject(error);
        return;
      }
      const pop = this.pops.shift();
      if (pop !== undefined) this.process(item, pop);
    }
  }

  private process(item: QueuedItem<T>, { process, resolve, reject }: WaitingPop<T>): void {
    this.busy = true;
    const succeed = (): void => {
      this.finish(item);
      resolve(item.deltas);
    };
    const fail = (error: unknown): void => {
      this.finish(item, error);
      reject(error);
    };
    try {
      const pending = pendingResult(process(item.deltas, !this.hasSynced()));
      if (pending === undefined) succeed();
      else {
        void pending.then(
          (): void => {
            succeed();
            this.serve();
          },
          (error: unknown): void => {
            fail(error);
            this.serve();
          },
        );
      }
    } catch (error) {
      fail(error);
    }
  }

  private finish(item: QueuedItem<T>, error?: unknown): void {
    if (error instanceof RequeueError) this.queue.putBack(item);
    this.queue.done(item.key);
    if (this.initialCount > 0) this.initialCount -= 1;
    this.busy = false;
  }
}

/**
 * Makes a DeltaFIFO: the queue between those who learn of changes and those who process them, one object at a time.
 *
 * It is the imperative form of `deltaFifo`, for programs that have no stream. Options have the meaning they have in client-go; the process of a
 * pop may be asynchronous, and producers do not wait for it.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createDeltaFifo, createIndexer, processDeltas } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer<KubernetesObject>();
 * const queue = createDeltaFifo<KubernetesObject>({ knownObjects: indexer });
 * queue.replace([{ metadata: { namespace: 'default', name: 'web' } }]);
 * queue.tryPop(processDeltas(indexer, { onAdd: (object) => console.log(object.metadata?.name) }));
 * ```
 *
 * @throws TypeError naming the option that is wrong.
 *
 * @see client-go: `NewDeltaFIFOWithOptions`
 */
export function createDeltaFifo<T>(options: DeltaFifoStoreOptions<T> = {}): DeltaFifo<T> {
  checkOptions('createDeltaFifo', options, { ...queueRules, transform: rules.function, emitDeltaTypeReplaced: rules.boolean });
  return new ObjectDeltaFifo(options);
}
