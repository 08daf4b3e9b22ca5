import { concatMap, defer, Observable, type OperatorFunction } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { checkOptions, rules } from '../../api/options.js';
import { type Resource, resourceName, resourcePath } from '../../api/resource.js';
import type { ListChunk, ListRequest, WatchEvent, WatchProgress, WatchRequest } from '../../api/listerWatcher.js';
import type { ReadOptions, SendOptions, SelectionOptions } from '../kubeClient.js';
import { listDecoder } from '../decode/listDecoder.js';
import { listQuery, watchQuery } from './query.js';
import type { Requester } from './requester.js';
import { requestName } from './requestError.js';
import { checkRequest, expectResource } from './requestRules.js';
import { typeOf } from './target.js';
import type { TransportRequest, TransportEvent } from './transport.js';
import { watchDecoder } from '../decode/watchDecoder.js';
import { expectJson, successful } from './answer.js';
import type { Decoder } from '../decode/decoder.js';

/** What happens to the body of an exchange. */
interface DecodeBodyInit<T> {
  readonly decoder: () => Decoder<T>;
  /** Emitted as a sign of life: for the headers, and for bytes that complete no value. */
  readonly progress: T;
  /** The request, for messages. */
  readonly request: string;
}

/** Decodes the body of a successful answer, status 200 and nothing else, while it arrives. Any other answer is an ApiError. */
function decodeBody<T>({ decoder: made, progress, request }: DecodeBodyInit<T>): OperatorFunction<TransportEvent, T> {
  return (events) =>
    new Observable((subscriber) => {
      const decoder = made();
      let emitted = 0;
      const emit = (value: T): void => {
        emitted += 1;
        subscriber.next(value);
      };
      const attempt = (step: () => void): void => {
        try {
          step();
        } catch (error) {
          subscriber.error(error);
        }
      };
      const next = (event: TransportEvent): void => {
        const before = emitted;
        if (event.type === 'head') expectJson(event.headers, request);
        else decoder.push(event.chunk, emit);
        if (emitted === before) subscriber.next(progress);
      };
      return events.pipe(successful(request, (status) => status === 200)).subscribe({
        next: (event) => attempt(() => next(event)),
        error: (error: unknown) => subscriber.error(error),
        complete: () =>
          attempt(() => {
            decoder.end(emit);
            subscriber.complete();
          }),
      });
    });
}

/**
 * What an answer is asked for to be: objects reduced to their metadata, and without managed fields. A server that cannot do the first answers with whole objects, one
 * that does not know the second (KEP-5958, Kubernetes 1.37) leaves them in, and the decoder drops them.
 */
function accept(form: string, { managedFields = 'drop', metadataOnly = false }: ReadOptions): string {
  const reduced = metadataOnly ? `;as=${form};g=meta.k8s.io;v=v1` : '';
  const dropped = managedFields === 'drop' ? ';drop=metadata.managedFields' : '';
  return reduced + dropped === '' ? 'application/json' : `application/json${reduced}${dropped},application/json`;
}

function shapeOf({ managedFields = 'drop', metadataOnly = false, namespace = '', shard }: ReadOptions & SelectionOptions) {
  return { managedFields, metadataOnly, scope: namespace, shard };
}

/** One LIST request as a cold observable of the parts that arrive. */
export function listChunks<T extends KubernetesObject>(
  requester: Requester,
  resource: Resource<T, 'list'>,
  request: ListRequest & SelectionOptions & ReadOptions & SendOptions,
  timeoutMs?: number,
): Observable<ListChunk<T>> {
  checkRequest('listChunks', request);
  expectResource(resource);
  return defer(() => {
    const headers = { ...requester.encoding, accept: accept('PartialObjectMetadataList', request) };
    const sent: TransportRequest = {
      method: 'GET',
      path: resourcePath(resource, { namespace: request.namespace }) + listQuery(request),
      headers,
      beforeSend: request.beforeSend,
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
    const shape = {
      ...shapeOf(request),
      ...typeOf(resource),
      resource: resourceName(resource),
    };
    const decoder = () => listDecoder<T>(shape, request.sharedBy);
    return requester.open(sent, request.rateLimited).pipe(decodeBody({ decoder, progress: { items: [] }, request: requestName(sent) }));
  });
}

/** One WATCH request as a cold observable. */
export function watchEvents<T extends KubernetesObject>(
  requester: Requester,
  resource: Resource<T, 'watch'>,
  request: WatchRequest & SelectionOptions & ReadOptions & SendOptions,
): Observable<WatchEvent<T> | WatchProgress> {
  checkRequest('watch', request);
  expectResource(resource);
  return defer(() => {
    const sent: TransportRequest = {
      method: 'GET',
      path: resourcePath(resource, { namespace: request.namespace }) + watchQuery(request),
      // A compressed watch would hold events back.
      headers: { 'accept-encoding': 'identity', accept: accept('PartialObjectMetadata', request) },
      beforeSend: request.beforeSend,
    };
    const shape = { ...shapeOf(request), ...typeOf(resource) };
    const decoder = () => watchDecoder<T>(shape, request.sharedBy);
    return requester
      .openUnlimited(sent)
      .pipe(decodeBody<WatchEvent<T> | WatchProgress>({ decoder, progress: { type: 'PROGRESS' }, request: requestName(sent) }));
  });
}

/** The bytes of the answer to one GET as a cold observable. */
export function readPath(requester: Requester, path: string, request: SendOptions = {}): Observable<Uint8Array> {
  checkOptions('readPath', request, { beforeSend: rules.function, rateLimited: rules.boolean });
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`Expected a path that begins with a slash, got ${JSON.stringify(path)}`);
  // A compressed log would hold lines back.
  const sent: TransportRequest = {
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'identity', accept: '*/*' },
    beforeSend: request.beforeSend,
  };
  return defer(() => requester.open(sent, request.rateLimited)).pipe(
    successful(requestName(sent)),
    concatMap((event) => (event.type === 'data' ? [event.chunk] : [])),
  );
}
