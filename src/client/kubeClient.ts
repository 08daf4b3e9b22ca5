import type { ClusterReader } from './requests/transport.js';
import type { Observable } from 'rxjs';
import type { KubernetesList, KubernetesObject } from '../api/kubernetesObject.js';
import type { Selection } from '../api/selectors.js';
import type { Resource } from '../api/resource.js';
import type { ShardFilter } from '../api/shardFilter.js';
import type { Status } from '../api/errors/apiError.js';
import type { ListChunk, ListRequest, WatchChunk, WatchRequest } from '../api/listerWatcher.js';
import type { Discovery } from './discovery/createDiscovery.js';

/** How a request is sent. */
export interface SendOptions {
  /**
   * Called right before each sending of the request: the first one, repetitions after a `Retry-After`, and sending delayed by `qps`. If it throws, nothing is sent
   * and the request rejects with that error.
   */
  readonly beforeSend?: (() => void) | undefined;
  /**
   * Whether the request counts against the client's `qps`. A watch never does.
   *
   * @defaultValue true
   */
  readonly rateLimited?: boolean | undefined;
}

/** Options that every request has. */
export interface RequestOptions extends SendOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole request, in milliseconds; `0` for none. @defaultValue the client's `requestTimeoutMs` */
  readonly timeoutMs?: number | undefined;
}

/** Options of requests about one object. */
export interface ObjectOptions extends RequestOptions {
  /** The namespace; optional when the object given has one. */
  readonly namespace?: string | undefined;
}

/** Options of `get`. */
export interface GetOptions extends ObjectOptions {
  /** The oldest version to answer with; `'0'` for any that the server has cached. @defaultValue the newest one */
  readonly resourceVersion?: string | undefined;
}

/** What a list or watch selects. */
export interface SelectionOptions {
  /** One namespace; all namespaces when absent or empty. */
  readonly namespace?: string | undefined;
  /** Text as of kubectl's `-l`, a selector object as in specs, or a map of labels. @defaultValue all objects */
  readonly labelSelector?: Selection | undefined;
  /** For example `spec.nodeName=node-1,status.phase!=Succeeded`. @defaultValue all objects */
  readonly fieldSelector?: string | undefined;
}

/** Options of `list`. */
export interface ListOptions extends RequestOptions, SelectionOptions, ListRequest {}

/** How the objects of a list or watch are read. */
export interface ReadOptions {
  /** `'drop'` leaves `metadata.managedFields` out, before parsing where possible. @defaultValue `'drop'` */
  readonly managedFields?: 'drop' | 'keep' | undefined;
  /** Lists and watches only the metadata of objects. @defaultValue false */
  readonly metadataOnly?: boolean | undefined;
  /**
   * The owner of the objects, for example a cache: objects read for the same owner share equal parts, which saves parsing and memory, and those are frozen.
   * Without it, objects share nothing.
   */
  readonly sharedBy?: object | undefined;
  /** Drops objects of other shards, before they are parsed where possible. */
  readonly shard?: ShardFilter | undefined;
  /** Who reads: it goes on from a version only in the cluster that gave that version. @internal */
  readonly reader?: ClusterReader | undefined;
}

/** Options of requests that change something. */
export interface WriteOptions extends ObjectOptions {
  /** The server does everything but store the result. @defaultValue false */
  readonly dryRun?: boolean | undefined;
  /** The name under which the program owns fields; needed for a patch of type `apply`. @defaultValue the part of the client's `userAgent` before the first `/` */
  readonly fieldManager?: string | undefined;
  /** What the server does about unknown and repeated fields. @defaultValue `'Warn'`, by the server */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** Options of `replace`. */
export interface ReplaceOptions extends WriteOptions {
  /**
   * Sends an object that a `transform` made, or the copy of one that `edit` made, as it is: the server then deletes what the transform removed. Without
   * it, such an object is refused.
   *
   * @defaultValue false
   */
  readonly allowTransformed?: boolean | undefined;
}

/** Options of `patch`. */
export interface PatchOptions extends WriteOptions {
  /** Takes over fields of other managers; only for `'apply'`. @defaultValue false */
  readonly force?: boolean | undefined;
}

/** The ways to patch an object: RFC 6902, RFC 7396, Kubernetes' merge by keys, and server-side apply. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** Options of `delete` and `deleteCollection`. */
export interface DeleteOptions extends ObjectOptions {
  /** How long an object may take to end; 0 for at once. @defaultValue that of the object, 30 for a pod */
  readonly gracePeriodSeconds?: number | undefined;
  /** What becomes of dependents. @defaultValue that of the kind, nearly always `'Background'` */
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Refuses the deletion (409) of an object with another uid or version. @defaultValue none */
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
  /** The server does everything but delete. @defaultValue false */
  readonly dryRun?: boolean | undefined;
}

/** A resource's `scale` subresource. */
export interface Scale extends KubernetesObject {
  readonly spec?: { readonly replicas?: number | undefined };
  readonly status?: { readonly replicas: number; readonly selector?: string | undefined };
}

/** Reads and writes of a subresource. */
export interface SubresourceClient<S> {
  /** Reads the subresource of one object. */
  get<T extends KubernetesObject>(resource: Resource<T, 'get'>, name: string, options?: GetOptions): Promise<S extends undefined ? T : S>;
  /** Writes the subresource whole; a `resourceVersion` in it must be the current one. Refuses the same objects as `replace` of the client. */
  replace<T extends KubernetesObject>(
    resource: Resource<T, 'update'>,
    object: S extends undefined ? T : S,
    options?: ReplaceOptions,
  ): Promise<S extends undefined ? T : S>;
  /** Changes parts of the subresource. */
  patch<T extends KubernetesObject>(
    resource: Resource<T, 'patch'>,
    name: string,
    type: PatchType,
    patch: unknown,
    options?: PatchOptions,
  ): Promise<S extends undefined ? T : S>;
}

/** A write of this client that has succeeded. */
export interface ClientWrite {
  readonly verb: 'create' | 'replace' | 'patch' | 'delete';
  readonly resource: Resource<KubernetesObject, never>;
  /** Set when it went to a subresource. */
  readonly subresource?: 'status' | 'scale';
  readonly namespace: string;
  readonly name: string;
  /** The object as the server answered; absent for writes to `scale`, and when the answer is something else than that object, such as a Status. */
  readonly object?: KubernetesObject;
  /** The uid of the deleted object, where the server returned it. */
  readonly uid?: string;
}

/**
 * Talks to one API server: every resource, every verb, over one pool of connections.
 *
 * Promises reject with an ApiError when the server refused, with a RequestError, which names the request, when the connection or the credentials failed, and
 * with a TypeError when an argument is wrong. A request answered with 429 or 5xx and a Retry-After is repeated up to ten times, within `timeoutMs`, before its
 * promise rejects.
 */
export interface KubeClient {
  /** The server's URL. Reads the kubeconfig if no request has done so yet, and fails where it cannot be read. */
  server(): Promise<string>;
  /** The namespace of the kubeconfig's context; `default` where it names none. Reads the kubeconfig if no request has done so yet. */
  defaultNamespace(): Promise<string>;
  readonly discovery: Discovery;
  /** Every completed write of this client, except dry runs and creations whose answer has no usable name. Hot: emits as the answers arrive. */
  readonly writes$: Observable<ClientWrite>;

  /** Reads one object. */
  get<T extends KubernetesObject>(resource: Resource<T, 'get'>, name: string, options?: GetOptions): Promise<T>;
  /** One LIST request: a single page when `limit` is given. */
  list<T extends KubernetesObject>(resource: Resource<T, 'list'>, options?: ListOptions): Promise<KubernetesList<T>>;
  /** Creates an object, and returns it as the server has stored it. */
  create<T extends KubernetesObject>(resource: Resource<T, 'create'>, object: T, options?: WriteOptions): Promise<T>;
  /**
   * Writes an object whole; a `resourceVersion` in it must be the current one.
   *
   * Rejects with a TypeError when parts of the object are known to be missing, since the server would delete them: when it is metadata alone
   * (`createMetadataInformer`), when an informer's or store's `transform` made it (`allowTransformed` sends it nevertheless), or when `edit` made it of such an
   * object. Copies made in other ways, as by `{ ...object }` or from parsed JSON, are not recognized. Missing `metadata.managedFields` do no harm: the server
   * keeps its own.
   */
  replace<T extends KubernetesObject>(resource: Resource<T, 'update'>, object: T, options?: ReplaceOptions): Promise<T>;
  /** Changes parts of an object; `'apply'` creates it where it is missing. */
  patch<T extends KubernetesObject>(
    resource: Resource<T, 'patch'>,
    name: string,
    type: PatchType,
    patch: unknown,
    options?: PatchOptions,
  ): Promise<T>;
  /** Deletes one object. Returns the Status, or the object where the server returns it, for example because of finalizers. */
  delete<T extends KubernetesObject>(resource: Resource<T, 'delete'>, name: string, options?: DeleteOptions): Promise<T | Status>;
  /** Deletes all objects that the options select. */
  deleteCollection<T extends KubernetesObject>(
    resource: Resource<T, 'deletecollection'>,
    options?: DeleteOptions & SelectionOptions,
  ): Promise<KubernetesList<T> | Status>;
  readonly status: SubresourceClient<undefined>;
  readonly scale: SubresourceClient<Scale>;

  /**
   * One LIST request as a cold observable of parts, decoded while the answer arrives.
   *
   * ```text
   * response:  headers --- bytes --- bytes --- end
   * emits:     {[]}    --- {a,b} --- {[]}  --- |
   * ```
   *
   * A part without items shows that the connection lives: headers, or bytes that complete no item, have arrived. The request has no deadline and is not
   * repeated. Fails with an ApiError, a RequestError, or a DecodeError when the answer is no list.
   */
  listChunks<T extends KubernetesObject>(
    resource: Resource<T, 'list'>,
    request: ListRequest & SelectionOptions & ReadOptions & SendOptions,
  ): Observable<ListChunk<T>>;
  /**
   * One WATCH request as a cold observable of parts, decoded while the answer arrives.
   *
   * ```text
   * response:  headers --- two lines and a half --- bytes --- end
   * emits:     []      --- [ADDED, MODIFIED]    --- []    --- |
   * ```
   *
   * A part without events shows that the connection lives: headers, or bytes that complete no event, have arrived. ERROR events are emitted like the others. The request
   * has no deadline, is not repeated, and does not count against `qps`. Fails with an ApiError when the answer is not 200, with a RequestError, or with a
   * DecodeError.
   */
  watch<T extends KubernetesObject>(
    resource: Resource<T, 'watch'>,
    request: WatchRequest & SelectionOptions & ReadOptions & SendOptions,
  ): Observable<WatchChunk<T>>;
  /**
   * Whether a watch may begin with a list (`sendInitialEvents`). `false` in browsers: they cannot refuse compressed answers, and of one by Kubernetes 1.37 or
   * later they would read only the first gzip member. Informers then list, and watch from the list's version; servers do not compress such watches.
   */
  readonly watchList: boolean;
  /** The JSON answer to a GET of any path, for example `/version`. */
  getPath(path: string, options?: RequestOptions): Promise<unknown>;
  /**
   * The bytes of the answer to a GET of any path, as a cold observable: for endless answers such as that of `pods/log`. Has no deadline and is not repeated.
   * Fails with an ApiError when the answer is not a success, or with a RequestError.
   */
  readPath(path: string, request?: SendOptions): Observable<Uint8Array>;
  /** Closes the pooled connections; pending requests fail. */
  close(): void;
}
