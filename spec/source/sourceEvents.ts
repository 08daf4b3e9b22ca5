import type { InitReason, LinkState, SourceEvent, SourceStatus } from '../../src/api/events.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';

type EventOf<T, Type> = Extract<SourceEvent<T>, { readonly type: Type }>;
type Change<T> = Extract<SourceEvent<T>, { readonly object: unknown }>;

const inScope = (scope: string): { readonly scope?: string } => (scope === '' ? {} : { scope });

function change<T extends KubernetesObject>(type: Change<T>['type'], object: T, scope: string): Change<T> {
  return { type, ...inScope(scope), object, resourceVersion: object.metadata?.resourceVersion ?? '' };
}

/**
 * A list begins.
 *
 * @param previousResourceVersion - the version of the previous list; `''`, the default, for the first list.
 */
export function sourceInit(previousResourceVersion = '', reason?: InitReason, scope = ''): EventOf<never, 'init'> {
  return { type: 'init', scope, reason: reason ?? (previousResourceVersion === '' ? 'first' : 'expired'), previousResourceVersion };
}

/** Some objects of the list. */
export function sourcePage<T extends KubernetesObject>(items: readonly T[], scope = ''): EventOf<T, 'page'> {
  return { type: 'page', ...inScope(scope), items };
}

/** The list is complete. */
export function sourceReady(resourceVersion = '1', scope = ''): EventOf<never, 'ready'> {
  return { type: 'ready', scope, resourceVersion };
}

/** The watch reports a new object. The event's version is the object's. */
export function sourceAdded<T extends KubernetesObject>(object: T, scope = ''): Change<T> {
  return change('added', object, scope);
}

/** The watch reports a changed object. The event's version is the object's. */
export function sourceModified<T extends KubernetesObject>(object: T, scope = ''): Change<T> {
  return change('modified', object, scope);
}

/** A deletion reported by the watch. The event's version is that of the object, which is the version of the deletion. */
export function sourceDeleted<T extends KubernetesObject>(object: T, scope = ''): Change<T> {
  return change('deleted', object, scope);
}

/** The watch has reached a version. */
export function sourceBookmark(resourceVersion: string, scope = ''): EventOf<never, 'bookmark'> {
  return { type: 'bookmark', ...inScope(scope), resourceVersion };
}

/**
 * The state of the link.
 *
 * @param failure - The error, the number of the attempt, and the time of the next one.
 */
export function sourceStatus(
  state: LinkState,
  failure: Partial<Pick<SourceStatus, 'error' | 'attempt' | 'nextAttemptAt'>> = {},
  scope = '',
): SourceStatus {
  return { type: 'status', ...inScope(scope), state, ...failure };
}
