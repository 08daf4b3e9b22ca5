import { isObservable, lastValueFrom } from 'rxjs';
import { failureOf, InformerError, type OnError } from '../../api/errors/informerError.js';
import type { Delta, Deltas } from '../../api/events.js';
import { checkOptions, describeValue, rules } from '../../api/options.js';
import { KeyError, type KeyFunc, keyOf, keyOfObjectOrKey, type ObjectOrKey } from '../../cache/keyFunc.js';
import { DeletedFinalStateUnknown, ExplicitKey, metaNamespaceKey } from '../../api/kubernetesObject.js';
import { transformedBy } from '../../cache/store/memoryStore.js';
import type { DeltaCompression } from './compressDeltas.js';
import { type KnownObjects, queueRules, RequeueError } from './deltaProcessor.js';
import { DeltaQueue, type QueuedItem } from './deltaQueue.js';

/**
 * Processes an item taken from a DeltaFIFO.
 *
 * `isInInitialList`: some of the items that the first `replace` queued have not been processed yet.
 */
export type PopProcess<T, R = unknown> = (deltas: Deltas<T>, isInInitialList: boolean) => R;

/** Options of `createDeltaFifo`. */
export interface DeltaFifoStoreOptions<T> {
  /** The key of an object before `transform`. @defaultValue its namespace and name */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /**
   * The objects that the consumer has: deletions of objects that are neither there nor queued are ignored, `replace` deletes those that are missing in the list,
   * and `resync` queues all of them. By default only the queue is consulted.
   */
  readonly knownObjects?: KnownObjects<T> | undefined;
  /**
   * Makes the object that is queued. Not called for tombstones and objects that `resync` queues. When it throws or returns nothing, the call throws and nothing is
   * queued. With `compress: 'latest'` it must keep `metadata.uid`.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** @defaultValue `'duplicateDeletes'`, the only compression that client-go has */
  readonly compress?: DeltaCompression | undefined;
  /**
   * Whether `replace` queues objects as `Replaced`, or as `Sync` like a resync.
   *
   * @defaultValue true, as in client-go's informers; the constructor of its DeltaFIFO has `false`.
   */
  readonly emitDeltaTypeReplaced?: boolean | undefined;
  /** Called for known objects that cannot be read (`ERR_KEY`); the queue goes on whatever it returns. By default they are not reported. */
  readonly onError?: OnError | undefined;
}

interface WaitingPop<T> {
  readonly process: PopProcess<T>;
  readonly resolve: (deltas: Deltas<T>) => void;
  readonly reject: (error: unknown) => void;
}

/** The promise of an asynchronous result; undefined for any other. */
function pendingResult(result: unknown): Promise<unknown> | undefined {
  if (isObservable(result)) return lastValueFrom(result, { defaultValue: undefined });
  const isPromise = typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
  return isPromise ? Promise.resolve(result) : undefined;
}

function expectFunction(process: unknown): void {
  if (typeof process !== 'function') throw new TypeError(`Expected \`process\` to be a function, got ${describeValue(process)}`);
}

/**
 * A queue of objects to process, each with all its changes since it was last processed.
 *
 * A key is queued once, at the position of its first delta. So the deltas of one key are in the order of the events, but keys may overtake each
 * other.
 *
 * It stores the deltas of the queued keys: `list`, `get` and `getByKey` return copies of them.
 *
 * @see client-go: `DeltaFIFO`
 */
export class DeltaFifo<T> {
  private readonly queue: DeltaQueue<T, 'first list'>;
  private readonly keyFunc: KeyFunc<T>;
  private readonly transform: ((object: T) => T) | undefined;
  private readonly typeOfListed: 'Replaced' | 'Sync';
  private pops: WaitingPop<T>[] = [];
  private populated = false;
  private synced = true;
  private closed = false;

  /** @internal */
  constructor(options: DeltaFifoStoreOptions<T>) {
    const { compress = 'duplicateDeletes', emitDeltaTypeReplaced = true, knownObjects, onError } = options;
    // The type of the objects is unknown: metaNamespaceKey checks its argument.
    this.keyFunc = options.keyFunc ?? (metaNamespaceKey as KeyFunc<unknown>);
    this.transform = options.transform;
    this.typeOfListed = emitDeltaTypeReplaced ? 'Replaced' : 'Sync';
    this.queue = new DeltaQueue({
      compress,
      knownObjects,
      onUnreadable: (key, cause) => onError?.(failureOf('ERR_KEY', `The known object ${key} could not be read`, cause, { key })),
      concurrency: () => Math.min(this.pops.length, 1),
      item: (item) => this.process(item, this.pops.shift() as WaitingPop<T>),
      mark: () => {
        this.synced = true;
        this.queue.ended();
      },
      idle: () => {
        if (!this.closed || this.pops.length === 0) return;
        const error = new InformerError({ code: 'ERR_STOPPED', message: 'The queue is closed, and nothing is left in it' });
        for (const { reject } of this.pops.splice(0)) reject(error);
      },
    });
  }

  /**
   * Queues `Added`.
   *
   * @throws KeyError, or InformerError `ERR_TRANSFORM`, when the object has no key or cannot be transformed; as do all methods that take objects.
   */
  add(object: T): void {
    this.upsert('Added', object);
  }

  /** Queues `Updated`. */
  update(object: T): void {
    this.upsert('Updated', object);
  }

  /** Queues `Deleted`, with `finalStateUnknown` for a tombstone or an explicit key. Ignored when the key is neither queued nor known. */
  delete(object: ObjectOrKey<T>): void {
    const key = keyOfObjectOrKey(this.keyFunc, object);
    const isUnknown = object instanceof DeletedFinalStateUnknown || object instanceof ExplicitKey;
    const last = !isUnknown ? this.transformed(key, object) : object instanceof ExplicitKey ? undefined : object.object;
    this.queue.pushDeletion({ type: 'Deleted', key, object: last, finalStateUnknown: isUnknown });
    this.populated = true;
    this.queue.run();
  }

  /**
   * Queues every object of a complete list, and then a `Deleted` with `finalStateUnknown` and the newest known state for each key that is queued or known but not
   * in the list. `resourceVersion` is that of the list; the queue ignores it.
   */
  replace(objects: readonly T[], _resourceVersion?: string): void {
    if (!Array.isArray(objects)) throw new TypeError(`Expected \`objects\` to be an array, got ${typeof objects}`);
    const deltas = (objects as readonly T[]).map((object): Delta<T> => {
      const key = keyOf(this.keyFunc, object);
      return { type: this.typeOfListed, key, object: this.transformed(key, object) };
    });
    const listed = new Set(deltas.map(({ key }) => key));
    const vanished = this.queue.presentKeys().filter((key) => !listed.has(key));
    for (const delta of deltas) this.queue.push(delta);
    for (const key of vanished) this.queue.pushVanished(key);
    if (!this.populated) {
      this.synced = false;
      this.queue.mark('first list');
    }
    this.populated = true;
    this.queue.run();
  }

  /** Queues `Sync` for every known object whose key is not queued. */
  resync(): void {
    this.queue.pushKnown();
    this.queue.run();
  }

  /** The deltas of every queued key. */
  list(): Deltas<T>[] {
    return this.listKeys().map((key) => this.getByKey(key) ?? []);
  }

  /** The queued keys, the next one first. */
  listKeys(): string[] {
    return this.queue.keys();
  }

  /** The deltas queued for the key of an object, or of deltas. */
  get(object: ObjectOrKey<T> | Deltas<T>): Deltas<T> | undefined {
    return this.getByKey(this.keyOf(object));
  }

  /** The deltas queued for a key, if there are any. */
  getByKey(key: string): Deltas<T> | undefined {
    return this.queue.get(key);
  }

  /**
   * The key of an object, of a tombstone, or of deltas.
   *
   * @throws KeyError when there is none, as for an empty array of deltas.
   */
  keyOf(object: ObjectOrKey<T> | Deltas<T>): string {
    if (!Array.isArray(object)) return keyOfObjectOrKey(this.keyFunc, object as ObjectOrKey<T>);
    const newest = (object as Deltas<T>).at(-1);
    if (newest === undefined) throw new KeyError(object, new TypeError('Expected at least one delta, got an empty array'));
    return newest.key;
  }

  /** Queues deltas again after they were taken, unless newer ones are queued for their key. Returns whether it did. */
  addIfNotPresent(deltas: Deltas<T>): boolean {
    if (!Array.isArray(deltas)) throw new TypeError(`Expected \`deltas\` to be an array of deltas, got ${typeof deltas}`);
    const added = this.queue.putBack({ key: this.keyOf(deltas as Deltas<T>), deltas: deltas as Deltas<T> });
    this.populated = true;
    this.queue.run();
    return added;
  }

  /**
   * Takes the next item, as soon as there is one, processes it, and resolves with it.
   *
   * Pops are served one at a time, in order. If an item is queued and no other pop is active, `process` is called before `pop` returns. A promise or an
   * observable that it returns is awaited.
   *
   * Rejects with the error of `process`: the item is then lost, unless the error is a `RequeueError`. Rejects with an InformerError `ERR_STOPPED` when the
   * queue is closed and empty.
   */
  pop(process: PopProcess<T>): Promise<Deltas<T>> {
    return new Promise((resolve, reject) => {
      expectFunction(process);
      this.pops.push({ process, resolve, reject });
      this.queue.run();
    });
  }

  /**
   * Takes the next item and processes it synchronously. Returns undefined when the queue is empty, or an item is being processed. Throws the error of
   * `process`; a promise that it returns is not awaited.
   */
  tryPop(process: PopProcess<T>): Deltas<T> | undefined {
    expectFunction(process);
    const item = this.queue.take(1);
    if (item === undefined) return undefined;
    try {
      process(item.deltas, !this.hasSynced());
    } catch (error) {
      this.finish(item, error);
      throw error;
    }
    this.finish(item);
    return item.deltas;
  }

  /**
   * Whether the first list has been processed: true when everything that the first `replace` queued has been processed, or when the first thing queued was
   * not a `replace`. False before anything was queued.
   */
  hasSynced(): boolean {
    return this.populated && this.synced;
  }

  /** Makes pops reject once the queue is empty. Queued items stay, and more can be queued. */
  close(): void {
    this.closed = true;
    this.queue.run();
  }

  /** Whether `close` was called. */
  isClosed(): boolean {
    return this.closed;
  }

  private upsert(type: 'Added' | 'Updated', object: T): void {
    const key = keyOf(this.keyFunc, object);
    this.queue.push({ type, key, object: this.transformed(key, object) });
    this.populated = true;
    this.queue.run();
  }

  private transformed(key: string, object: T): T {
    return transformedBy(this.transform, key, object);
  }

  private process(item: QueuedItem<T>, { process, resolve, reject }: WaitingPop<T>): void {
    const succeed = (): void => {
      resolve(item.deltas);
      this.finish(item);
    };
    const fail = (error: unknown): void => {
      reject(error);
      this.finish(item, error);
    };
    try {
      const pending = pendingResult(process(item.deltas, !this.hasSynced()));
      if (pending === undefined) succeed();
      else void pending.then(succeed, fail);
    } catch (error) {
      fail(error);
    }
  }

  private finish(item: QueuedItem<T>, error?: unknown): void {
    if (error instanceof RequeueError) this.queue.putBack(item);
    this.queue.done(item.key);
    this.queue.ended();
  }
}

/**
 * Makes a DeltaFIFO: a queue between producers of changes and consumers that process one object at a time.
 *
 * It is the imperative form of `deltaFifo`, for programs without observables. Options mean the same as in client-go; the process of a pop may be
 * asynchronous, and producers do not wait for it.
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
  return new DeltaFifo(options);
}
