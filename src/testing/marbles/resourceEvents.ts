import { type KubernetesObject, metaNamespaceKey } from '../../api/kubernetesObject.js';
import type { AddedEvent, DeletedEvent, SyncedEvent, UpdatedEvent } from '../../api/events.js';

/**
 * An `added` event, as a marble. Its key is the object's.
 *
 * @example
 * ```ts
 * import { filterObjects } from 'rx-informer';
 * import { added, deleted, pod, runMarbles } from 'rx-informer/testing';
 *
 * const web = pod('web', { metadata: { labels: { app: 'web' } } });
 * const values = { a: added(web), b: added(pod('db')), d: deleted(web) };
 * runMarbles(({ hot, expectObservable }) => {
 *   const event$ = hot('--a-b-d', values);
 *   expectObservable(event$.pipe(filterObjects((object) => object.metadata?.labels?.['app'] === 'web'))).toBe('--a---d', values);
 * });
 * ```
 *
 * @param flags - each defaults to `false`.
 */
export function added<T extends KubernetesObject>(
  object: T,
  flags: Partial<Pick<AddedEvent<T>, 'initial' | 'inferred'>> = {},
): AddedEvent<T> {
  const { initial = false, inferred = false } = flags;
  return { type: 'added', key: metaNamespaceKey(object), object, initial, inferred };
}

/**
 * An `updated` event, as a marble.
 *
 * @example
 * ```ts
 * import { filterUpdates, labelsChanged } from 'rx-informer';
 * import { pod, runMarbles, updated } from 'rx-informer/testing';
 *
 * const [before, after] = [pod('web'), pod('web', { metadata: { labels: { team: 'red' } } })];
 * const values = { u: updated(before, before), l: updated(before, after) };
 * runMarbles(({ hot, expectObservable }) => {
 *   expectObservable(hot('-u-l', values).pipe(filterUpdates(labelsChanged))).toBe('---l', values);
 * });
 * ```
 *
 * @param flags - each defaults to `false`.
 * @throws TypeError when the two objects have different keys.
 */
export function updated<T extends KubernetesObject>(
  oldObject: T,
  object: T,
  flags: Partial<Pick<UpdatedEvent<T>, 'resync' | 'inferred'>> = {},
): UpdatedEvent<T> {
  const [oldKey, key] = [metaNamespaceKey(oldObject), metaNamespaceKey(object)];
  if (oldKey !== key) throw new TypeError(`Expected two versions of one object, got ${JSON.stringify(oldKey)} and ${JSON.stringify(key)}`);
  const { resync = false, inferred = false } = flags;
  return { type: 'updated', key, object, oldObject, resync, inferred };
}

/**
 * A `deleted` event, as a marble.
 *
 * @example
 * ```ts
 * import { deleted, pod, runMarbles } from 'rx-informer/testing';
 * import { map } from 'rxjs';
 *
 * const values = { d: deleted(pod('web')), m: deleted(pod('db'), { finalStateUnknown: true }) };
 * runMarbles(({ hot, expectObservable }) => {
 *   const missed$ = hot('-d-m', values).pipe(map(({ finalStateUnknown }) => finalStateUnknown));
 *   expectObservable(missed$).toBe('-n-y', { n: false, y: true });
 * });
 * ```
 *
 * @param flags - each defaults to `false`.
 */
export function deleted<T extends KubernetesObject>(
  object: T,
  flags: Partial<Pick<DeletedEvent<T>, 'finalStateUnknown' | 'inferred'>> = {},
): DeletedEvent<T> {
  const { finalStateUnknown = false, inferred = false } = flags;
  return { type: 'deleted', key: metaNamespaceKey(object), object, finalStateUnknown, inferred };
}

/**
 * A `synced` event, as a marble.
 *
 * @example
 * ```ts
 * import { added, pod, runMarbles, synced } from 'rx-informer/testing';
 * import { filter } from 'rxjs';
 *
 * const values = { a: added(pod('web')), s: synced('7') };
 * runMarbles(({ hot, expectObservable }) => {
 *   expectObservable(hot('-a-s', values).pipe(filter(({ type }) => type === 'synced'))).toBe('---s', values);
 * });
 * ```
 *
 * @param previousResourceVersion - the version of the previous list; `''` for the first list, which is the default.
 */
export function synced(resourceVersion = '1', previousResourceVersion = ''): SyncedEvent {
  return { type: 'synced', resourceVersion, previousResourceVersion };
}
