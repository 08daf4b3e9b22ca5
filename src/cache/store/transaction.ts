import type { ObjectOrKey } from '../keyFunc.js';
import type { Store } from './store.js';
import { brand } from '../../api/brand.js';
import { messageOf } from '../../api/errors/informerError.js';

/**
 * Some steps of a transaction failed. All others were carried out.
 *
 * @see TransactionError of client-go
 */
export class TransactionError extends Error {
  override readonly name = 'TransactionError';
  /** The positions of the steps that were carried out, ascending. */
  readonly successfulSteps: readonly number[];
  /** The number of steps. */
  readonly totalSteps: number;
  /** The errors of the failed steps, in order. */
  readonly errors: readonly unknown[];

  constructor(totalSteps: number, successfulSteps: readonly number[], errors: readonly unknown[]) {
    const failed = totalSteps - successfulSteps.length;
    super(`${failed} of ${totalSteps} steps of the transaction failed: ${errors.map(messageOf).join('; ')}`, { cause: errors[0] });
    this.totalSteps = totalSteps;
    this.successfulSteps = successfulSteps;
    this.errors = errors;
  }
}

brand(TransactionError, 'TransactionError');

/** One write of a transaction. */
export type TransactionStep<T> =
  { readonly type: 'add' | 'update'; readonly object: T } | { readonly type: 'delete'; readonly object: ObjectOrKey<T> };

/** A Store that can carry out several writes as one, and whose `delete` accepts keys and tombstones. */
export interface TransactionalStore<T> extends Store<T> {
  delete(object: ObjectOrKey<T>): void;
  get(object: ObjectOrKey<T>): T | undefined;
  /**
   * Carries out the steps in order; readers see all of them or none. A step that fails (its key or transform throws) is left out, the others
   * are carried out. The store's version becomes that of the last object.
   *
   * @throws TransactionError when a step failed.
   */
  transaction(steps: readonly TransactionStep<T>[]): void;
}

/**
 * Carries out several writes of a store as one.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, transaction } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer<KubernetesObject>();
 * transaction(indexer, [
 *   { type: 'add', object: { metadata: { name: 'a' } } },
 *   { type: 'delete', object: { metadata: { name: 'b' } } },
 * ]);
 * ```
 *
 * @throws TransactionError when steps failed, naming them, or when the store has no transactions: then nothing was written.
 *
 * @see TransactionStore of client-go
 */
export function transaction<T>(
  store: Store<T> & Partial<Pick<TransactionalStore<T>, 'transaction'>>,
  steps: readonly TransactionStep<T>[],
): void {
  if (typeof store.transaction !== 'function') {
    throw new TransactionError(steps.length, [], [new TypeError('The store has no `transaction` method')]);
  }
  store.transaction(steps);
}
