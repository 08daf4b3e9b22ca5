import { ApiError } from '../../api/errors/apiError.js';
import { isExpired, isTooManyRequests } from '../../api/errors/apiErrorPredicates.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { createInformer } from '../../informer/createInformer.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import type { Selection } from '../arguments/selection.js';

/** An informer for a person at a terminal: a first list that fails ends it, where a program would have it retried for ever. */
export function informerOf(client: KubeClient, { resource, options }: Selection): SharedInformer<UnstructuredObject> {
  const informer: SharedInformer<UnstructuredObject> = createInformer<UnstructuredObject>(client, resource, {
    ...options,
    onError: ({ code, cause }) => {
      const passing = isTooManyRequests(cause) || isExpired(cause) || (cause instanceof ApiError && cause.code >= 500);
      return informer.hasSynced() || passing || code === 'ERR_WATCH_LIST' ? 'retry' : 'stop';
    },
  });
  return informer;
}
