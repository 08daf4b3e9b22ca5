import type { WatchEvent } from '../../../api/listerWatcher.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import type { Selects } from './watchHistory.js';

/** An event as received by a client; `previous` is the state before it, if the client reports that. */
export type ObservedEvent = WatchEvent<KubernetesObject> & { readonly previous?: KubernetesObject };

/** What one client observed between two lists, or on one watch: its start, and every event after that. */
export interface WatchObservation {
  /** The name of the client, for messages. */
  readonly client: string;
  /** The requested selection; all objects when absent. */
  readonly selects?: Selects;
  /** The resourceVersion from which the events continue: that of the list, of the marked bookmark, or of the request. */
  readonly resourceVersion: string;
  /** The whole state at that version, if the client received it. */
  readonly state?: readonly KubernetesObject[];
  readonly events: readonly ObservedEvent[];
}
