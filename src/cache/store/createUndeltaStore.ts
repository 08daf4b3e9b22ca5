import type { ObjectOrKey } from '../keys/keyFunc.js';
import { MemoryStore } from './memoryStore.js';
import type { StoreOptions } from './storeOptions.js';
import type { TransactionalStore, TransactionStep } from './transaction.js';
import { TransactionError } from './transactionError.js';

class UndeltaStore<T> extends MemoryStore<T> {
  private readonly push: (objects: readonly T[]) => void;

  constructor(push: (objects: readonly T[]) => void, options: StoreOptions<T>) {
    super(options);
    this.push = push;
  }

  override add(object: T): void {
    super.add(object);
    this.push(this.list());
  }

  override delete(object: ObjectOrKey<T>): void {
    super.delete(object);
    this.push(this.list());
  }

  override replace(objects: readonly T[], resourceVersion: string): void {
    super.replace(objects, resourceVersion);
    this.push(this.list());
  }

  override transaction(steps: readonly TransactionStep<T>[]): void {
    try {
      super.transaction(steps);
    } catch (error) {
      if (error instanceof TransactionError && error.successfulSteps.length > 0) this.push(this.list());
      throw error;
    }
    this.push(this.list());
  }
}

/**
 * Makes a Store that hands its whole content to a function after every write, for those who want states and no changes.
 *
 * Each successful write pushes once, also one that changed nothing; reads, failed writes and the initial objects push nothing.
 *
 * @throws TypeError when `push` is no function or an option is wrong; KeyError when an initial object has no key.
 *
 * @see UndeltaStore of client-go
 */
export function createUndeltaStore<T>(push: (objects: readonly T[]) => void, options: StoreOptions<T> = {}): TransactionalStore<T> {
  if (typeof push !== 'function') throw new TypeError(`Expected \`push\` to be a function, got ${typeof push}`);
  return new UndeltaStore<T>(push, options);
}
