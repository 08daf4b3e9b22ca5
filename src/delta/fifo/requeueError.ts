import { brand } from '../../api/brand.js';

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
  }
}

brand(RequeueError, 'RequeueError');
