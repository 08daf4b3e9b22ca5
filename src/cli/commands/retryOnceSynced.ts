import { ApiError } from '../../api/errors/apiError.js';
import { isExpired, isTooManyRequests } from '../../api/errors/apiErrorPredicates.js';
import type { InformerError } from '../../api/errors/informerError.js';

/**
 * The `onError` of an informer for a person at a terminal: a first list that fails is told at once, where a program would have it retried for ever.
 */
export function retryOnceSynced(hasSynced: () => boolean): (error: InformerError) => 'retry' | 'stop' {
  return (error) => {
    const passing =
      isTooManyRequests(error.cause) || isExpired(error.cause) || (error.cause instanceof ApiError && error.cause.code >= 500);
    return hasSynced() || passing || error.code === 'ERR_WATCH_LIST' ? 'retry' : 'stop';
  };
}
