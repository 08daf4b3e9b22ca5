import type { Observable } from 'rxjs';
import type { KubernetesList, KubernetesObject } from './kubernetesObject.js';
import type { Status } from './errors/apiError.js';

/** One event of a watch, as on the wire. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: Status };

/** The annotation of the BOOKMARK that ends the initial events of a WatchList; its value is the string `"true"`. */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';

/** The meaning of the version in a list or watch. */
export type ResourceVersionMatch = 'Exact' | 'NotOlderThan';

/** One LIST request, with the API's parameter names. */
export interface ListRequest {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** KEP-5866: ranges of hashes. A server without the feature gate ignores it; one with it sets `metadata.shardInfo` in lists. */
  readonly shardSelector?: string | undefined;
}

/** One WATCH request, with the API's parameter names. */
export interface WatchRequest {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** KEP-5866, as in a list. */
  readonly shardSelector?: string | undefined;
}

/**
 * A part of the answer to one LIST request. A complete list is one too.
 *
 * Parts without items show that the answer makes progress. At least one part has the metadata; of several, the last one counts.
 */
export type ListChunk<T> = KubernetesList<T>;

/**
 * A part of the answer to one WATCH request: the events that arrived together, in their order.
 *
 * One without events shows that the connection lives: headers, or bytes that complete no event, have arrived.
 */
export type WatchChunk<T> = readonly WatchEvent<T>[];

/**
 * The source of a reflector's objects: the port between the network, or a test, and everything else.
 *
 * Both methods return cold observables: subscribing sends one request, unsubscribing aborts it. They complete when the answer is complete (a
 * watch: when the server closed it) and fail with an ApiError when the server refused, or with another Error when the connection failed.
 */
export interface ListerWatcher<T> {
  /** Sends one LIST request, and emits the parts of its answer. */
  list(request: ListRequest): Observable<ListChunk<T>>;
  /** Sends one WATCH request, and emits the parts of its answer. */
  watch(request: WatchRequest): Observable<WatchChunk<T>>;
  /** Its resource, for messages and health, for example `pods`; `objects` when absent. */
  readonly resource?: string;
  /** The namespace or selector that this source covers; `''` (everything) when absent. */
  readonly scope?: string;
  /** The only accepted type; events of another one are reported and skipped. */
  readonly expected?: { readonly apiVersion: string; readonly kind: string };
  /** Whether its objects are namespaced: then the error of a forbidden list of all namespaces suggests `permittedNamespaces`. */
  readonly namespaced?: boolean;
  /** `false` for a source whose `watch` cannot stream the initial list. */
  readonly watchList?: boolean;
}
