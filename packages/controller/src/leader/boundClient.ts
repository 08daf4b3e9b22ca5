import { Observable } from 'rxjs';
import { onAbort, type RequestOptions, type SendOptions } from 'rx-informer/internal';
import type { SubresourceClient } from 'rx-informer/pipeline';
import type { KubeClient } from 'rx-informer';
import type { Tenure } from './tenure.js';

/** Sends a request within a tenure. */
type Run = <Result>(options: RequestOptions | undefined, request: (bound: RequestOptions) => Promise<Result>) => Promise<Result>;

/** Asks the tenure and the caller before each sending. */
function sendingOf(tenure: Tenure, options: SendOptions | undefined): () => void {
  return () => {
    tenure.beforeSend();
    options?.beforeSend?.();
  };
}

function runFor(tenureOf: () => Tenure): Run {
  return async (options, request) => {
    const tenure = tenureOf();
    tenure.beforeSend();
    const aborter = new AbortController();
    const given = options?.signal;
    const leave = tenure.onEnd(() => aborter.abort(tenure.signal.reason));
    const forget = given && onAbort(given, () => aborter.abort(given.reason));
    try {
      return await request({ signal: aborter.signal, beforeSend: sendingOf(tenure, options) });
    } catch (error) {
      throw tenure.signal.aborted && given?.aborted !== true ? tenure.lost(error) : error;
    } finally {
      leave();
      forget?.();
    }
  };
}

function boundStream<T>(
  tenureOf: () => Tenure,
  request: SendOptions | undefined,
  source: (bound: SendOptions) => Observable<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    const tenure = tenureOf();
    tenure.beforeSend();
    subscriber.add(tenure.onEnd(() => subscriber.error(tenure.lost())));
    subscriber.add(source({ beforeSend: sendingOf(tenure, request) }).subscribe(subscriber));
  });
}

function boundSubresource<S>(client: SubresourceClient<S>, run: Run): SubresourceClient<S> {
  return {
    get: (resource, name, options) => run(options, (bound) => client.get(resource, name, { ...options, ...bound })),
    replace: (resource, object, options) => run(options, (bound) => client.replace(resource, object, { ...options, ...bound })),
    patch: (resource, name, type, patch, options) =>
      run(options, (bound) => client.patch(resource, name, type, patch, { ...options, ...bound })),
  };
}

/**
 * A client whose requests are bound to the tenure that `tenureOf` returns at each call: once that has ended nothing is sent, not even a repetition or a queued
 * request, and pending requests are aborted.
 */
export function boundClient(client: KubeClient, tenureOf: () => Tenure): KubeClient {
  const run = runFor(tenureOf);
  return {
    server: () => client.server(),
    defaultNamespace: () => client.defaultNamespace(),
    discovery: client.discovery,
    writes$: client.writes$,
    watchList: client.watchList,
    ...boundSubresource<undefined>(client, run),
    list: (resource, options) => run(options, (bound) => client.list(resource, { ...options, ...bound })),
    create: (resource, object, options) => run(options, (bound) => client.create(resource, object, { ...options, ...bound })),
    delete: (resource, name, options) => run(options, (bound) => client.delete(resource, name, { ...options, ...bound })),
    deleteCollection: (resource, options) => run(options, (bound) => client.deleteCollection(resource, { ...options, ...bound })),
    status: boundSubresource(client.status, run),
    scale: boundSubresource(client.scale, run),
    listChunks: (resource, request) => boundStream(tenureOf, request, (bound) => client.listChunks(resource, { ...request, ...bound })),
    watch: (resource, request) => boundStream(tenureOf, request, (bound) => client.watch(resource, { ...request, ...bound })),
    readPath: (path, request) => boundStream(tenureOf, request, (bound) => client.readPath(path, { ...request, ...bound })),
    getPath: (path, options) => run(options, (bound) => client.getPath(path, { ...options, ...bound })),
    close: () => client.close(),
  };
}
