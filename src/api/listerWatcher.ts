import type { Observable } from 'rxjs';
import type { KubernetesList, KubernetesObject } from './kubernetesObject.js';
import type { Status } from './errors/apiError.js';

/** One event of a watch, as on the wire. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: Status };

/** A sign of life of a watch that is no event: the answer's headers have come, or bytes that do not complete an event yet. */
export interface WatchProgress {
  readonly type: 'PROGRESS';
}

/** The annotation of the BOOKMARK that ends the initial events of a WatchList; its value is the string `"true"`. */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';

/** The meaning of the version in a list or watch. */
export type ResourceVersionMatch = 'Exact' | 'NotOlderThan';

/** One LIST request, in the API's own words. */
export interface ListRequest {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** KEP-5866: ranges of hashes. A server without the feature gate ignores it; the lists of one with it have `metadata.shardInfo`. */
  readonly shardSelector?: string | undefined;
}

/** One WATCH request, in the API's own words. */
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
 * Parts without items say that the answer is making progress. At least one part carries the metadata; the last one that does, counts.
 */
export type ListChunk<T> = KubernetesList<T>;

/**
 * Where a reflector gets its objects from: the port between the network, or a test, and everything else.
 *
 * Both methods return cold observables: subscribing sends one request, unsubscribing aborts it. They complete when the answer is complete (a
 * watch: when the server closed it) and fail with an ApiError when the server refused, or with another Error when the connection failed.
 */
export interface ListerWatcher<T> {
  /** Sends one LIST request, and emits the parts of its answer. */
  list(request: ListRequest): Observable<ListChunk<T>>;
  /** Sends one WATCH request, and emits the events of its answer. */
  watch(request: WatchRequest): Observable<WatchEvent<T> | WatchProgress>;
  /** What it lists, for messages and health, for example `pods`; `objects` when absent. */
  readonly resource?: string;
  /** The namespace or selector that this source covers; `''` (everything) when absent. */
  readonly scope?: string;
  /** The only kind that may arrive; events of another are reported and skipped. */
  readonly expected?: { readonly apiVersion: string; readonly kind: string };
  /** Whether its objects are in namespaces: then a refusal of all of them names `permittedNamespaces`. */
  readonly namespaced?: boolean;
  /** `false` for a source whose `watch` cannot stream the initial list. */
  readonly watchList?: boolean;
}
