import { initialEventsEndAnnotation, type WatchEvent } from '../../../api/listerWatcher.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import { metaNamespaceKey } from '../../../cache/keys.js';
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

/**
 * The observation of a watch with `sendInitialEvents`: the events up to the marked bookmark are the state. Undefined if the bookmark has
 * not arrived.
 */
export function observationOfWatchList(
  client: string,
  events: readonly WatchEvent<KubernetesObject>[],
  selects?: Selects,
): WatchObservation | undefined {
  const end = events.findIndex(
    ({ type, object }) => type === 'BOOKMARK' && object.metadata?.annotations?.[initialEventsEndAnnotation] === 'true',
  );
  const marker = events[end];
  if (marker?.type !== 'BOOKMARK') return undefined;
  const state = new Map<string, KubernetesObject>();
  for (const event of events.slice(0, end)) {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue;
    if (event.type === 'DELETED') state.delete(metaNamespaceKey(event.object));
    else state.set(metaNamespaceKey(event.object), event.object);
  }
  return {
    client,
    resourceVersion: marker.object.metadata?.resourceVersion ?? '',
    state: [...state.values()],
    events: events.slice(end + 1),
    ...(selects !== undefined && { selects }),
  };
}
