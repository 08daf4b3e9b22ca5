import { initialEventsEndAnnotation, type WatchEvent } from '../../../api/listerWatcher.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import { metaNamespaceKey } from '../../../cache/keys.js';
import type { Selects } from './watchHistory.js';

/** An event as a client received it, with the state before it in `previous`, where the client reports that. */
export type ObservedEvent = WatchEvent<KubernetesObject> & { readonly previous?: KubernetesObject };

/** What one client observed between two lists, or on one watch: its start, and every event after that. */
export interface WatchObservation {
  /** The name of the client, for messages. */
  readonly client: string;
  /** Which objects were asked for: all when absent. */
  readonly selects?: Selects;
  /** The resourceVersion that the events continue from: of the list, of the marked bookmark, or as asked for. */
  readonly resourceVersion: string;
  /** The whole state at that version, where the client was given it. */
  readonly state?: readonly KubernetesObject[];
  readonly events: readonly ObservedEvent[];
}

/**
 * The observation of a watch that began with `sendInitialEvents`: the events up to the marked bookmark are the state. Undefined while the bookmark has not come.
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
