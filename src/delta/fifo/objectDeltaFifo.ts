import { isObservable, lastValueFrom } from 'rxjs';
import type { Delta, Deltas } from '../../api/events/delta.js';
import { InformerError } from '../../api/errors/informerError.js';
import { noteTransformed } from '../../api/transformed.js';
import { DeletedFinalStateUnknown } from '../../cache/keys/deletedFinalStateUnknown.js';
import { ExplicitKey } from '../../cache/keys/explicitKey.js';
import { KeyError } from '../../cache/keys/keyError.js';
import { type KeyFunc, keyOf, keyOfObjectOrKey, type ObjectOrKey } from '../../cache/keys/keyFunc.js';
import { messageOf } from '../../api/errors/messageOf.js';
import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';
import type { DeltaFifo, DeltaFifoStoreOptions, PopProcess } from './deltaFifoStore.js';
import { DeltaQueue, type QueuedItem } from './deltaQueue.js';
import { describeValue } from '../../api/options/optionRule.js';
import { RequeueError } from './requeueError.js';

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
export class ObjectDeltaFifo<T> implements DeltaFifo<T> {
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
