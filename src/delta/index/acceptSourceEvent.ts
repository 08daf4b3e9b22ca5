import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { HalfList, Scope, Scopes } from './scopes.js';

/** A source event that says what happened to one object. */
export type SourceChange<T> = Extract<SourceEvent<T>, { readonly type: 'added' | 'modified' | 'deleted' }>;

/** Where source events lead to: a store, or a queue before it. */
export interface IntakeTarget<T, V, R> {
  /** The key of an object: the one that came with it, or else one made of it. Undefined, after a report, where there is none. */
  keyOf(object: T, told?: string): string | undefined;
  /** Takes an object into a list that is being received. */
  collect(half: HalfList<V>, key: string, object: T): void;
  /** Takes one out again. */
  drop(half: HalfList<V>, key: string): void;
  /** Makes a list that is complete the content of its scope. */
  publish(scope: Scope<V>, half: HalfList<V>, resourceVersion: string): R | undefined;
  /** Takes what has happened to an object of a scope that has been listed. */
  change(scope: Scope<V>, key: string, event: SourceChange<T>, previousResourceVersion: string): R | undefined;
  /** Takes note that a scope has reached a version. */
  reach(scope: Scope<V>, resourceVersion: string): R | undefined;
}

/** Reads a source event: lists are collected until they are complete, everything else goes on as it comes. Returns what the target does. */
export function acceptSourceEvent<T, V, R>(event: SourceEvent<T>, scopes: Scopes<V>, target: IntakeTarget<T, V, R>): R | undefined {
  if (event.type === 'status') return undefined;
  const scope = scopes.of(event.scope ?? '');
  switch (event.type) {
    case 'init':
      scopes.begin(scope, event.previousResourceVersion);
      return undefined;
    case 'page': {
      const half = scope.half ?? scopes.begin(scope, '');
      for (const [at, object] of event.items.entries()) {
        const key = target.keyOf(object, event.keys?.[at]);
        if (key !== undefined) target.collect(half, key, object);
      }
      return undefined;
    }
    case 'ready':
      return scope.half === undefined ? undefined : target.publish(scope, scope.half, event.resourceVersion);
    case 'bookmark':
      return target.reach(scope, event.resourceVersion);
    default:
      return acceptChange(event, scope, scopes, target);
  }
}

function acceptChange<T, V, R>(event: SourceChange<T>, scope: Scope<V>, scopes: Scopes<V>, target: IntakeTarget<T, V, R>): R | undefined {
  const half = scope.half ?? (scope.ready ? undefined : (scope.refused ?? scopes.begin(scope, '')));
  const previousResourceVersion = scope.resourceVersion;
  if (half === undefined && event.resourceVersion !== '') scope.resourceVersion = event.resourceVersion;
  const key = target.keyOf(event.object, event.key);
  if (key === undefined) return undefined;
  if (half === undefined) return target.change(scope, key, event, previousResourceVersion);
  if (event.type === 'deleted') target.drop(half, key);
  else target.collect(half, key, event.object);
  // What has left for a reason must not be found missing by the list: that would count as deleted.
  if (event.reason !== undefined && scope.ready) return target.change(scope, key, event, previousResourceVersion);
  return undefined;
}
