const brand = Symbol.for('rx-informer.RequeueError');

/**
 * What the process of a DeltaFIFO throws, or its result fails with, to get the item again later.
 *
 * The deltas go back to the end of the queue, unless something newer is queued for their key by then. `cause` may say why.
 *
 * @example
 * ```ts
 * import { createDeltaFifo, RequeueError } from 'rx-informer/pipeline';
 *
 * declare const isReady: () => boolean;
 * const queue = createDeltaFifo();
 * queue.add({ metadata: { name: 'a' } });
 * queue.tryPop(() => {
 *   if (!isReady()) throw new RequeueError();
 * });
 * ```
 *
 * @see client-go: `ErrRequeue`, until v0.32
 */
export class RequeueError extends Error {
  override readonly name = 'RequeueError';

  constructor(cause?: unknown) {
    super('The item is to be processed again later', cause === undefined ? undefined : { cause });
    Object.defineProperty(this, brand, { value: true });
  }

  /** Knows instances by their brand, so that those of the other module format count too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
