import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { ResourceEvent } from '../../src/api/events.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';

/** What a subscriber knows when it applies each event to what it knew before: the resourceVersion of every key. */
export function foldEvents<T extends KubernetesObject>(informer: SharedInformer<T>, events: ResourceEvent<T>[] = []): Map<string, string> {
  const known = new Map<string, string>();
  informer.resource$.subscribe({
    next: (event) => {
      events.push(event);
      if (event.type === 'deleted') known.delete(event.key);
      else if (event.type !== 'synced') known.set(event.key, event.object.metadata?.resourceVersion ?? '');
    },
    error: (error: unknown) => {
      throw error;
    },
  });
  return known;
}

/** The resourceVersion of each of the objects, by key. */
export function versionsOf(objects: readonly KubernetesObject[]): Map<string, string> {
  return new Map(objects.map(({ metadata }) => [`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`, metadata?.resourceVersion ?? '']));
}
