import type { WatchChunk } from '../../../api/listerWatcher.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';

/** What one client observed between two lists, or on one watch: its start, and every event after that. */
export type WatchObservation = Readonly<{
  /** The name of the client, for messages. */
  client: string;
  /** The requested selection; all objects when absent. */
  selects?: (object: KubernetesObject) => boolean;
  /** The resourceVersion from which the events continue: that of the list, of the marked bookmark, or of the request. */
  resourceVersion: string;
  /** The whole state at that version, if the client received it. */
  state?: readonly KubernetesObject[];
  /** Each as received by the client, with the state before it, if the client reports that. */
  events: readonly (WatchChunk<KubernetesObject>[number] & { readonly previous?: KubernetesObject })[];
}>;

export type ObservedEvent = WatchObservation['events'][number];
