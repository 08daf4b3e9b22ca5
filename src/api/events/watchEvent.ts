import type { KubernetesObject } from '../kubernetesObject.js';
import type { Status } from '../errors/status.js';

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
