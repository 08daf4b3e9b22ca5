import { defer, type Observable } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { apiVersionOf, expectResource, type Resource, resourceName } from '../../api/resource.js';
import type { ListChunk, ListRequest, WatchChunk, WatchRequest } from '../../api/listerWatcher.js';
import type { ReadOptions, SendOptions, SelectionOptions } from '../kubeClient.js';
import { ListDecoder } from '../decode/listDecoder.js';
import { listed, selection, selectionPath, sending, watched } from './parameters.js';
import type { Requester } from './requester.js';
import { requestName } from './requestError.js';
import type { TransportRequest } from './transport.js';
import { WatchDecoder } from '../decode/watchDecoder.js';
import { decodeBody } from './answer.js';

const read: OptionRules<ReadOptions> = {
  managedFields: rules.oneOf('drop', 'keep'),
  metadataOnly: rules.boolean,
  sharedBy: rules.object,
  shard: rules.object,
  reader: rules.object,
};

/** `apiVersion` and `kind` of a resource's objects. */
export function typeOf(resource: Resource<KubernetesObject, never>): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/**
 * The `Accept` header: metadata only, and without managed fields. A server that does not support the first answers with whole objects, one that does not
 * support the second (KEP-5958; Kubernetes 1.37.2 does not) includes managedFields; the decoder then drops the rest.
 */
function accept(form: string, { managedFields = 'drop', metadataOnly = false }: ReadOptions): string {
  const reduced = metadataOnly ? `;as=${form};g=meta.k8s.io;v=v1` : '';
  const dropped = managedFields === 'drop' ? ';drop=metadata.managedFields' : '';
  return reduced + dropped === '' ? 'application/json' : `application/json${reduced}${dropped},application/json`;
}

/** What the decoder of a resource's lists and watches has to know. */
function shapeOf<T extends KubernetesObject>(
  resource: Resource<T, never>,
  { managedFields = 'drop', metadataOnly = false, namespace = '', shard }: ReadOptions & SelectionOptions,
) {
  return { managedFields, metadataOnly, scope: namespace, shard, ...typeOf(resource), resource: resourceName(resource) };
}

/** Whether a version is one that the server gave: any will do for `''` and `'0'`. */
const isGiven = (resourceVersion = ''): boolean => !['', '0'].includes(resourceVersion);

/** A request whose answer is read while it arrives. */
function reading(
  resource: Resource<unknown, never>,
  request: ListRequest & WatchRequest & SelectionOptions & ReadOptions & SendOptions,
  sent: typeof listed | typeof watched,
  encoding: Requester['encoding'],
): TransportRequest {
  const { reader, beforeSend, resourceVersion, continue: token = '' } = request;
  const form = sent === listed ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return {
    method: 'GET',
    path: selectionPath(resource, request, sent),
    headers: { ...encoding, accept: accept(form, request) },
    beforeSend,
    reading: reader && { reader, goesOn: isGiven(resourceVersion) || token !== '' },
  };
}

/** One LIST request as a cold observable of its parts. */
export function listChunks<T extends KubernetesObject>(
  requester: Requester,
  resource: Resource<T, 'list'>,
  request: ListRequest & SelectionOptions & ReadOptions & SendOptions,
  limits?: Pick<TransportRequest, 'timeoutMs' | 'silenceMs'>,
): Observable<ListChunk<T>> {
  // A misspelt `namespace` would read the whole cluster.
  checkOptions<object>('client.listChunks', request, { ...listed, ...selection, ...read, ...sending });
  expectResource(resource);
  return defer(() => {
    const sent = { ...reading(resource, request, listed, requester.encoding), ...limits };
    const decoder = () => new ListDecoder<T>(shapeOf(resource, request), request.sharedBy);
    return requester.open(sent, request.rateLimited).pipe(decodeBody<ListChunk<T>>(decoder, { items: [] }, requestName(sent)));
  });
}

/** One WATCH request as a cold observable. */
export function watchEvents<T extends KubernetesObject>(
  requester: Requester,
  resource: Resource<T, 'watch'>,
  request: WatchRequest & SelectionOptions & ReadOptions & SendOptions,
): Observable<WatchChunk<T>> {
  checkOptions<object>('client.watch', request, { ...watched, ...selection, ...read, ...sending });
  expectResource(resource);
  return defer(() => {
    // Compression would buffer events.
    const sent = reading(resource, request, watched, { 'accept-encoding': 'identity' });
    const decoder = () => new WatchDecoder<T>(shapeOf(resource, request), request.sharedBy);
    return requester.open(sent, false).pipe(decodeBody<WatchChunk<T>>(decoder, [], requestName(sent)));
  });
}
