import { noteTransformed } from '../../api/transformed.js';
import { IndexedStore } from './indexedStore.js';
import { failureOf, InformerError } from '../../api/errors/informerError.js';
import { metaNamespaceKey, resourceVersionOf } from '../../api/kubernetesObject.js';
import { type KeyFunc, keyOf, keyOfObjectOrKey, type ObjectOrKey } from '../keyFunc.js';
import type { IndexErrorHandler, Indexer, Indexers } from './store.js';
import { type TransactionalStore, TransactionError, type TransactionStep } from './transaction.js';
import { checkOptions, describeValue, type OptionRules, rules } from '../../api/options.js';

/** Options of `createStore`. */
export interface StoreOptions<T> {
  /**
   * Returns the key under which an object is stored.
   * @defaultValue `metaNamespaceKey`
   */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /**
   * Makes the stored value of an object. Key and version are read from the object before it, so a transform may remove any field. When it throws or returns
   * nothing, nothing is written.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** The initial content, for example saved by an earlier run of the program. */
  readonly initialObjects?: Iterable<T> | undefined;
}

/** Options of `createIndexer`. */
export interface IndexerOptions<T> extends StoreOptions<T> {
  /** The indexes to start with; more can be added at any time. */
  readonly indexers?: Indexers<T> | undefined;
  /**
   * Called for index functions that throw, after the object has been stored. Without it, the write throws an InformerError with the code
   * `ERR_INDEX_FUNC` after the object has been stored.
   */
  readonly onIndexError?: IndexErrorHandler | undefined;
}

/** The rules of the options of a store. @internal */
export const storeRules: OptionRules<StoreOptions<never>> = {
  keyFunc: rules.function,
  transform: rules.function,
  initialObjects: rules.iterable,
};

/** The rules of the options of an indexer. The functions of `indexers` are checked one by one. @internal */
export const indexerRules: OptionRules<IndexerOptions<never>> = { ...storeRules, indexers: rules.any, onIndexError: rules.function };

/** The result of a transform of an object; the object itself without one. @throws InformerError `ERR_TRANSFORM` when it throws or returns nothing. @internal */
export function transformedBy<T>(transform: ((object: T) => T) | undefined, key: string, object: T): T {
  if (transform === undefined) return object;
  let value: T;
  try {
    value = transform(object);
  } catch (cause) {
    throw failureOf('ERR_TRANSFORM', `The transform failed for ${key}`, cause, { key });
  }
  if (value !== undefined && value !== null) return noteTransformed(value);
  const message = `Expected the transform to return an object for ${key}, got ${String(value)}`;
  throw new InformerError({ code: 'ERR_TRANSFORM', message, key });
}

/** A write whose key and stored value are known, so that it cannot fail. Without an object: a deletion. */
type PreparedWrite<T> = readonly [key: string, object: T | undefined, resourceVersion: string | undefined];

function expectVersion(resourceVersion: unknown): void {
  if (typeof resourceVersion !== 'string')
    throw new TypeError(`Expected \`resourceVersion\` to be a string, got ${typeof resourceVersion}`);
}

/**
 * The store behind `createStore` and `createIndexer`: a Map and its indexes.
 *
 * Every write first calls the user's functions (key function, transform), which may throw, and then changes the state, which cannot
 * fail. Errors of index functions are reported last.
 */
export class MemoryStore<T> extends IndexedStore<T> implements Indexer<T>, TransactionalStore<T> {
  private readonly keyFunc: KeyFunc<T>;
  private readonly transform: ((object: T) => T) | undefined;

  constructor(options: IndexerOptions<T>) {
    super(options);
    // The type of the objects is unknown: metaNamespaceKey checks its argument.
    this.keyFunc = options.keyFunc ?? (metaNamespaceKey as KeyFunc<unknown>);
    this.transform = options.transform;
    if (options.initialObjects === undefined) return;
    this.hold(options.initialObjects, '');
    this.report();
  }

  add(object: T): void {
    this.apply({ type: 'add', object });
  }

  update(object: T): void {
    this.add(object);
  }

  delete(object: ObjectOrKey<T>): void {
    this.apply({ type: 'delete', object });
  }

  replace(objects: readonly T[], resourceVersion: string): void {
    this.refuseNestedChange();
    if (!Array.isArray(objects)) throw new TypeError(`Expected \`objects\` to be an array, got ${typeof objects}`);
    expectVersion(resourceVersion);
    this.hold(objects as readonly T[], resourceVersion);
    this.written();
  }

  transaction(steps: readonly TransactionStep<T>[]): void {
    this.refuseNestedChange();
    const writes: PreparedWrite<T>[] = [];
    const successful: number[] = [];
    const errors: unknown[] = [];
    for (const [position, step] of steps.entries()) {
      try {
        writes.push(this.prepared(step));
        successful.push(position);
      } catch (error) {
        errors.push(error);
      }
    }
    for (const write of writes) this.write(...write);
    try {
      if (writes.length > 0) this.written();
    } catch (error) {
      if (errors.length === 0) throw error;
      errors.push(error);
    }
    if (errors.length > 0) throw new TransactionError(steps.length, successful, errors);
  }

  override get(object: ObjectOrKey<T>): T | undefined {
    return super.get(object as T);
  }

  resync(): void {
    // A store has nothing to resync; only a queue does.
  }

  override bookmark(resourceVersion: string): void {
    expectVersion(resourceVersion);
    super.bookmark(resourceVersion);
  }

  /** Called after every write. */
  protected written(): void {
    this.report();
  }

  private hold(objects: Iterable<T>, resourceVersion: string): void {
    const content = this.stage(true);
    for (const object of objects) content.put(keyOf(this.keyFunc, object), object);
    content.publish(resourceVersion);
  }

  private apply(step: TransactionStep<T>): void {
    this.refuseNestedChange();
    this.write(...this.prepared(step));
    this.written();
  }

  private prepared(step: TransactionStep<T>): PreparedWrite<T> {
    if (step.type === 'delete') return [this.keyOf(step.object), undefined, resourceVersionOf(step.object)];
    const { type, object } = step;
    if (!['add', 'update'].includes(type))
      throw new TypeError(`Expected the \`type\` of a step to be add, update or delete, got ${describeValue(type)}`);
    const key = keyOf(this.keyFunc, object);
    // Read before the transform, which may change the object in place.
    const resourceVersion = resourceVersionOf(object);
    return [key, this.valueOf(key, object), resourceVersion];
  }

  protected override computedKey(object: ObjectOrKey<T>): string {
    return keyOfObjectOrKey(this.keyFunc, object);
  }

  protected override valueOf(key: string, object: T): T {
    return transformedBy(this.transform, key, object);
  }
}

/**
 * Makes a Store in memory, without indexes: a Map of objects by key.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createStore } from 'rx-informer/pipeline';
 *
 * const store = createStore<KubernetesObject>();
 * store.add({ metadata: { namespace: 'default', name: 'web' } });
 * store.getByKey('default/web');
 * ```
 *
 * @throws TypeError when an option is wrong; KeyError when an initial object has no key.
 *
 * @see NewStore of client-go
 */
export function createStore<T>(options: StoreOptions<T> = {}): TransactionalStore<T> {
  checkOptions<StoreOptions<T>>('createStore', options, storeRules);
  return new MemoryStore<T>(options);
}
