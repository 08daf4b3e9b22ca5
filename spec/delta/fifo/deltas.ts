import type { Delta } from '../../../src/api/events.js';
import { metaNamespaceKey } from '../../../src/api/kubernetesObject.js';
import type { Pod } from '../pods.js';

/** A delta of one of the pods of these specs. */
export function delta(type: Exclude<Delta<Pod>['type'], 'Deleted'>, object: Pod): Delta<Pod> {
  return { type, key: metaNamespaceKey(object), object };
}

export function deletion(object: Pod): Delta<Pod> {
  return { type: 'Deleted', key: metaNamespaceKey(object), object, finalStateUnknown: false };
}

export function tombstone(key: string, object?: Pod): Delta<Pod> {
  return { type: 'Deleted', key, object, finalStateUnknown: true };
}

/** Deltas in a few characters: the type, the name and version, `?` for an unknown final state. */
export function briefDeltas(deltas: readonly Delta<Pod>[]): string {
  return deltas
    .map((each) => {
      const { type, key, object } = each;
      const unknown = each.type === 'Deleted' && each.finalStateUnknown ? '?' : '';
      const name = key.slice(key.indexOf('/') + 1);
      return `${type} ${name}@${object?.metadata.resourceVersion ?? ''}${unknown}`;
    })
    .join(', ');
}
