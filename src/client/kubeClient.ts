import type { Observable } from 'rxjs';
import type { KubernetesList, KubernetesObject } from '../api/kubernetesObject.js';
import type { LabelMap, LabelSelectorObject } from '../api/selectors.js';
import type { Resource } from '../api/resource.js';
import type { ShardFilter } from '../api/shardFilter.js';
import type { Status } from '../api/errors/apiError.js';
import type { ListChunk, ListRequest, WatchEvent, WatchProgress, WatchRequest } from '../api/listerWatcher.js';
import type { Discovery } from './discovery/discovery.js';

/** How a request is sent. */
export interface SendOptions {
  /**
   * Called right before each sending of the request: the first, those after a `Retry-After`, and those that waited for their turn. What it throws is what
   * the request rejects with, and nothing is sent.
   */
  readonly beforeSend?: (() => void) | undefined;
  /**
   * Whether the request waits for its turn under the client's `qps`. A watch never does.
   *
   * @defaultValue true
   */
  readonly rateLimited?: boolean | undefined;
}

/** Options of every single request. */
export interface RequestOptions extends SendOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Bounds the whole request, in milliseconds; `0` for no bound. The client's `requestTimeoutMs` when absent. */
  readonly timeoutMs?: number | undefined;
}

/** Options of requests about one object. */
export interface ObjectOptions extends RequestOptions {
  /** The namespace; of a namespaced object that carries its own, it may be left out. */
  readonly namespace?: string | undefined;
}

/** Options of `get`. */
export interface GetOptions extends ObjectOptions {
  readonly resourceVersion?: string | undefined;
}

/** What a list or watch selects. */
export interface SelectionOptions {
  /** One namespace; all when absent or empty. */
  readonly namespace?: string | undefined;
  /** The text of kubectl's `-l`, the object that specs carry, or labels with their values. */
  readonly labelSelector?: string | LabelSelectorObject | LabelMap | undefined;
  /** For example `spec.nodeName=node-1,status.phase!=Succeeded`. */
  readonly fieldSelector?: string | undefined;
}

/** Options of `list`. */
export interface ListOptions extends RequestOptions, SelectionOptions, ListRequest {}

/** How the objects of a list or watch are read. */
export interface ReadOptions {
  /** `'drop'` (the default) leaves `metadata.managedFields` out, before parsing where possible. */
  readonly managedFields?: 'drop' | 'keep' | undefined;
  /** Lists and watches the objects' metadata alone. */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Whatever stands for those who share the objects, a cache for example: objects that are read for the same one have equal parts in common, which saves
   * parsing and memory, and those are frozen. Without it, objects have nothing in common.
   */
  readonly sharedBy?: object | undefined;
  /** Objects of other shards are dropped by their bytes, before they are parsed. */
  readonly shard?: ShardFilter | undefined;
}

/** Options of requests that change something. */
export interface WriteOptions extends ObjectOptions {
  /** Everything but storing it. */
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** Options of `replace`. */
export interface ReplaceOptions extends WriteOptions {
  /**
   * Sends an object that a `transform` made, or the copy of one that `edit` made, as it is: the server then deletes what the transform took away. Without
   * it, such an object is refused.
   *
   * @defaultValue false
   */
  readonly allowTransformed?: boolean | undefined;
}

/** Options of `patch`. */
export interface PatchOptions extends WriteOptions {
  /** Takes fields over from other managers; only for `'apply'`. */
  readonly force?: boolean | undefined;
}

/** The ways to patch an object: RFC 6902, RFC 7396, Kubernetes' merge by keys, and server-side apply. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** Options of `delete` and `deleteCollection`. */
export interface DeleteOptions extends ObjectOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
  readonly dryRun?: boolean | undefined;
}

/** A resource's `scale` subresource. */
export interface Scale extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
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

/** A write of this client that the server has carried out. */
export interface ClientWrite {
  readonly verb: 'create' | 'replace' | 'patch' | 'delete';
  readonly resource: Resource<KubernetesObject, never>;
  /** Set when it went to a subresource. */
  readonly subresource?: 'status' | 'scale';
  readonly namespace: string;
  readonly name: string;
  /** The object as the server answered; absent when a delete was answered by a Status alone, and for writes to `scale`. */
  readonly object?: KubernetesObject;
  /** The uid of what a delete removed, where the server said it. */
  readonly uid?: string;
}

/**
 * Talks to one API server: every resource, every verb, over one pool of connections.
 *
 * Promises reject with an ApiError when the server refused, with a RequestError, naming the request, when the connection or the credentials failed, and
 * with a TypeError when an argument is wrong. What the server asks to send again later (429 or 5xx with a Retry-After) is sent again, up to ten times and
 * within `timeoutMs`, before a promise rejects.
 */
export interface KubeClient {
  /** The server's URL. Reads the kubeconfig if no request has done so yet, and fails where it cannot be read. */
  server(): Promise<string>;
  /** The namespace of the kubeconfig's context; `default` where it names none. Reads the kubeconfig if no request has done so yet. */
  defaultNamespace(): Promise<string>;
  readonly discovery: Discovery;
  /** Every completed write of this client, dry runs excepted. Hot: emits as the answers arrive. */
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
   * Rejects with a TypeError when the object is known to lack parts, since the server would delete them: it is metadata alone (`createMetadataInformer`),
   * or came out of an informer's or store's `transform` (`allowTransformed` sends that all the same), or is what `edit` made of such an object. Copies
   * that are made in other ways, `{ ...object }` or parsed JSON, cannot be recognized. That `metadata.managedFields` has been dropped has no effect: the
   * server keeps what it has.
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
  /** The Status, or the object where the server answers with it, for example because finalizers keep it. */
  delete<T extends KubernetesObject>(resource: Resource<T, 'delete'>, name: string, options?: DeleteOptions): Promise<T | Status>;
  /** Deletes all objects that the options select. */
  deleteCollection<T extends KubernetesObject>(
    resource: Resource<T, 'deletecollection'>,
    options?: DeleteOptions & SelectionOptions,
  ): Promise<KubernetesList<T> | Status>;
  readonly status: SubresourceClient<undefined>;
  readonly scale: SubresourceClient<Scale>;

  /**
   * One LIST request as a cold observable of the parts that arrive, decoded as they stream in.
   *
   * ```text
   * response:  headers --- bytes --- bytes --- end
   * emits:     {[]}    --- {a,b} --- {[]}  --- |
   * ```
   *
   * A part without items is a sign of life: the headers have come, or bytes that complete no item. The request is neither bounded in time nor
   * repeated; its subscriber decides. Fails with an ApiError, a RequestError, or a DecodeError when the answer is no list.
   */
  listChunks<T extends KubernetesObject>(
    resource: Resource<T, 'list'>,
    request: ListRequest & SelectionOptions & ReadOptions & SendOptions,
  ): Observable<ListChunk<T>>;
  /**
   * One WATCH request as a cold observable of its events.
   *
   * ```text
   * response:  headers  --- line  --- half a line --- end
   * emits:     PROGRESS --- ADDED --- PROGRESS    --- |
   * ```
   *
   * `PROGRESS` is a sign of life: the headers have come, or bytes that complete no event. ERROR events are emitted like the others. The request is
   * neither bounded in time, nor repeated, nor held back by `qps`; its subscriber decides. Fails with an ApiError when the answer is not 200, with a
   * RequestError, or with a DecodeError.
   */
  watch<T extends KubernetesObject>(
    resource: Resource<T, 'watch'>,
    request: WatchRequest & SelectionOptions & ReadOptions & SendOptions,
  ): Observable<WatchEvent<T> | WatchProgress>;
  /**
   * Whether a watch can begin with a list. `false` in browsers: they cannot ask for an answer that is not compressed, and would end one of Kubernetes
   * 1.37 or later after its first part. Informers list there, and then watch from the version of the list, which no server compresses.
   */
  readonly watchList: boolean;
  /** The JSON answer to a GET of any path, for example `/version`. */
  getPath(path: string, options?: RequestOptions): Promise<unknown>;
  /**
   * The bytes of the answer to a GET of any path, as a cold observable: for answers that go on, as that of `pods/log`. Neither bounded in time nor
   * repeated. Fails with an ApiError when the answer is not a success, or with a RequestError.
   */
  readPath(path: string, request?: SendOptions): Observable<Uint8Array>;
  /** Closes the pooled connections; requests under way fail. */
  close(): void;
}
