import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { SourceEvent } from '../../api/events.js';

/** What a source has emitted so far. */
export interface SourceFold<T> {
  /** By scope, then by key, which is `namespace/name` where none came: the objects of the last complete list and of everything after it. */
  readonly scopes: ReadonlyMap<string, ReadonlyMap<string, T>>;
  /** Takes the next event in. */
  apply(event: SourceEvent<T>): void;
}

function keyOf({ metadata }: KubernetesObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  return `${namespace}/${name}`;
}

/**
 * Folds source events into plain maps, in the simplest way that obeys their grammar: a model to compare caches and sources with.
 *
 * A half-received list is kept apart until its `ready`, and forgotten at the next `init`.
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
