import { brand } from '../../api/brand.js';
import { messageOf } from '../../api/errors/messageOf.js';

/**
 * Steps of a transaction failed. The others were carried out.
 *
 * @see TransactionError of client-go
 */
export class TransactionError extends Error {
  override readonly name = 'TransactionError';
  /** The positions of the steps that were carried out, ascending. */
  readonly successfulSteps: readonly number[];
  /** How many steps there were. */
  readonly totalSteps: number;
  /** Why the others failed, in their order. */
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
