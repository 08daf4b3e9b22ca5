import type { ResourceEvent } from '../../../api/events.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import type { Selects } from './watchHistory.js';
import type { ObservedEvent, WatchObservation } from './watchObservation.js';

type ObjectEvent = Exclude<ResourceEvent<KubernetesObject>, { readonly type: 'synced' }>;

function observedEvent(event: ObjectEvent): ObservedEvent {
  const { object } = event;
  if (event.type === 'updated') return { type: 'MODIFIED', object, previous: event.oldObject };
  return { type: event.type === 'added' ? 'ADDED' : 'DELETED', object };
}

/**
 * Converts the events of a subscriber of `resource$` into observations: its snapshot and each relist begin a new one, so that changes
 * skipped without a relist violate a guarantee. For an informer over one scope. Subscribe before the informer's first list is complete.
 *
 * ```text
 * resource$  added added synced updated deleted(inferred) synced updated
 * result     [ state -------- , updated ]                 [ state, updated ]
 * ```
 */
export function observationsOfEvents(
  client: string,
  events: readonly ResourceEvent<KubernetesObject>[],
  selects?: Selects,
): readonly WatchObservation[] {
  const observations: WatchObservation[] = [];
  const objects = new Map<string, KubernetesObject>();
  let live: ObservedEvent[] = [];
  // Inferred events belong to the next list, unless a watch event follows: then they are the first half of a recreation.
  let inferred: ObservedEvent[] = [];
  for (const event of events) {
    if (event.type === 'synced') {
      inferred = [];
      live = [];
      const state = [...objects.values()];
      observations.push({ client, resourceVersion: event.resourceVersion, state, events: live, ...(selects !== undefined && { selects }) });
      continue;
    }
    if (event.type === 'deleted') objects.delete(event.key);
    else objects.set(event.key, event.object);
    if (event.type === 'updated' && event.resync) continue;
    if (event.inferred) inferred.push(observedEvent(event));
    else live.push(...inferred.splice(0), observedEvent(event));
  }
  return observations;
}
