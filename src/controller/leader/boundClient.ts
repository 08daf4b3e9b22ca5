import { Observable } from 'rxjs';
import type { KubeClient, RequestOptions, SubresourceClient } from '../../client/kubeClient.js';
import { LeaderElectionError } from './leaderElectionError.js';

/** What a client is bound to. */
export interface Bond {
  readonly signal: AbortSignal;
  isValid(): boolean;
  /** Says what is over, for the message. */
  readonly what: string;
}

/** A signal that aborts with either of two. (`AbortSignal.any` keeps something for each call as long as the older signal lives.) */
function eitherOf(one: AbortSignal, other: AbortSignal | undefined): { readonly signal: AbortSignal; readonly leave: () => void } {
  if (other === undefined) return { signal: one, leave: () => undefined };
  const controller = new AbortController();
  const both = [one, other].map((signal) => {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  });
  return { signal: controller.signal, leave: () => both.forEach((leave) => leave()) };
}

/** Sends a request with a signal, unless its time is over. */
type Run = <Result>(options: RequestOptions | undefined, request: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

function lost({ what }: Bond, cause?: unknown): LeaderElectionError {
  return new LeaderElectionError('ERR_LEADERSHIP_LOST', `${what}: no request is sent`, cause);
}

function boundStream<T>(bondOf: () => Bond, source: () => Observable<T>): Observable<T> {
  return new Observable((subscriber) => {
    const bond = bondOf();
    const end = (): void => subscriber.error(lost(bond));
    if (!bond.isValid()) {
      end();
      return;
    }
    bond.signal.addEventListener('abort', end);
    subscriber.add(() => bond.signal.removeEventListener('abort', end));
    subscriber.add(source().subscribe(subscriber));
  });
}

function boundSubresource<S>(client: SubresourceClient<S>, run: Run): SubresourceClient<S> {
  return {
    get: (resource, name, options) => run(options, (signal) => client.get(resource, name, { ...options, signal })),
    replace: (resource, object, options) => run(options, (signal) => client.replace(resource, object, { ...options, signal })),
    patch: (resource, name, type, patch, options) =>
      run(options, (signal) => client.patch(resource, name, type, patch, { ...options, signal })),
  };
}

/** A client whose requests are bound to what `bondOf` says at each: once that is over none is sent, and those under way are aborted. */
export function boundClient(client: KubeClient, bondOf: () => Bond): KubeClient {
  const run: Run = async (options, request) => {
    const bond = bondOf();
    if (!bond.isValid()) throw lost(bond);
    const { signal, leave } = eitherOf(bond.signal, options?.signal);
    try {
      return await request(signal);
    } catch (error) {
      throw bond.signal.aborted && options?.signal?.aborted !== true ? lost(bond, error) : error;
    } finally {
      leave();
    }
  };
  return {
    server: () => client.server(),
    defaultNamespace: () => client.defaultNamespace(),
    discovery: client.discovery,
    writes$: client.writes$,
    watchList: client.watchList,
    ...boundSubresource<undefined>(client, run),
    list: (resource, options) => run(options, (signal) => client.list(resource, { ...options, signal })),
    create: (resource, object, options) => run(options, (signal) => client.create(resource, object, { ...options, signal })),
    delete: (resource, name, options) => run(options, (signal) => client.delete(resource, name, { ...options, signal })),
    deleteCollection: (resource, options) => run(options, (signal) => client.deleteCollection(resource, { ...options, signal })),
    status: boundSubresource(client.status, run),
    scale: boundSubresource(client.scale, run),
    listChunks: (resource, request) => boundStream(bondOf, () => client.listChunks(resource, request)),
    watch: (resource, request) => boundStream(bondOf, () => client.watch(resource, request)),
    getPath: (path, options) => run(options, (signal) => client.getPath(path, { ...options, signal })),
    close: () => client.close(),
  };
}
