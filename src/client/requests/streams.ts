import { defer, type Observable } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListChunk, ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import type { Resource } from '../../api/resource.js';
import { resourceName } from '../../api/resourceName.js';
import { resourcePath } from '../../api/resourcePath.js';
import type { WatchEvent, WatchProgress } from '../../api/events/watchEvent.js';
import { decodeBody } from './decodeBody.js';
import type { ReadOptions, SelectionOptions } from '../kubeClient.js';
import { listDecoder } from '../decode/listDecoder.js';
import { listQuery, watchQuery } from './query.js';
import type { Requester } from './requester.js';
import { requestName } from './requestName.js';
import { typeOf } from './target.js';
import type { TransportRequest } from './transport.js';
import { watchDecoder } from '../decode/watchDecoder.js';

/** Servers that cannot reduce objects to their metadata answer with whole ones. */
function accept(form: string): string {
  return `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`;
}

function shapeOf({ managedFields = 'drop', metadataOnly = false, namespace = '', shard }: ReadOptions & SelectionOptions) {
  return { managedFields, metadataOnly, scope: namespace, shard };
}

/**
 * One LIST request as a cold observable of the parts that arrive.
 */
export function listChunks<T extends KubernetesObject>(
  requester: Requester,
  resource: Resource<T, 'list'>,
  request: ListRequest & SelectionOptions & ReadOptions,
  timeoutMs?: number,
): Observable<ListChunk<T>> {
  return defer(() => {
    const headers = { ...requester.encoding, ...(request.metadataOnly === true && { accept: accept('PartialObjectMetadataList') }) };
    const sent: TransportRequest = {
      method: 'GET',
      path: resourcePath(resource, { namespace: request.namespace }) + listQuery(request),
      headers,
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
    const shape = {
      ...shapeOf(request),
      ...typeOf(resource),
      resource: resourceName(resource),
      isLaterPage: (request.continue ?? '') !== '',
    };
    const decoder = () => listDecoder<T>(shape, request.sharedBy);
    return requester.open(sent).pipe(decodeBody({ decoder, progress: { items: [] }, request: requestName(sent) }));
  });
}

/**
 * One WATCH request as a cold observable.
 */
export function watchEvents<T extends KubernetesObject>(
  requester: Requester,
  resource: Resource<T, 'watch'>,
  request: WatchRequest & SelectionOptions & ReadOptions,
): Observable<WatchEvent<T> | WatchProgress> {
  return defer(() => {
    const sent: TransportRequest = {
      method: 'GET',
      path: resourcePath(resource, { namespace: request.namespace }) + watchQuery(request),
      // A compressed watch would hold events back.
      headers: { 'accept-encoding': 'identity', ...(request.metadataOnly === true && { accept: accept('PartialObjectMetadata') }) },
    };
    const shape = { ...shapeOf(request), ...typeOf(resource), isInitial: request.sendInitialEvents === true };
    const decoder = () => watchDecoder<T>(shape, request.sharedBy);
    return requester
      .openUnlimited(sent)
      .pipe(decodeBody<WatchEvent<T> | WatchProgress>({ decoder, progress: { type: 'PROGRESS' }, request: requestName(sent) }));
  });
}
