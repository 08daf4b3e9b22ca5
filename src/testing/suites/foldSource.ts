import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { SourceEvent } from '../../api/events.js';

/** The content emitted by a source so far. */
export interface SourceFold<T> {
  /** By scope, then by key (`namespace/name` if the event has none): the objects of the last complete list, with all later changes. */
  readonly scopes: ReadonlyMap<string, ReadonlyMap<string, T>>;
  /** Applies the next event. */
  apply(event: SourceEvent<T>): void;
}

function keyOf({ metadata }: KubernetesObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  return `${namespace}/${name}`;
}

/**
 * Folds source events into plain maps, in the simplest way that obeys their grammar: a model to compare caches and sources with.
 *
 * An incomplete list is collected separately until its `ready`, and dropped at the next `init`.
 */
export function foldSource<T extends KubernetesObject>(): SourceFold<T> {
  const scopes = new Map<string, Map<string, T>>();
  const halves = new Map<string, Map<string, T>>();
  return {
    scopes,
    apply(event) {
      const { scope = '' } = event;
      const objects = halves.get(scope) ?? scopes.get(scope);
      switch (event.type) {
        case 'init':
          halves.set(scope, new Map());
          break;
        case 'page':
          for (const [at, item] of event.items.entries()) objects?.set(event.keys?.[at] ?? keyOf(item), item);
          break;
        case 'ready':
          scopes.set(scope, objects ?? new Map<string, T>());
          halves.delete(scope);
          break;
        case 'added':
        case 'modified':
          objects?.set(event.key ?? keyOf(event.object), event.object);
          break;
        case 'deleted':
          objects?.delete(event.key ?? keyOf(event.object));
          break;
        default:
      }
    },
  };
}
