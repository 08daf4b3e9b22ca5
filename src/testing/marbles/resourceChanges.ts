import type { ObjectEvent, ResourceChange } from '../../api/events.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { added } from './resourceEvents.js';

/** The fields of a change besides its events. */
export type ChangeFields = Partial<Omit<ResourceChange<unknown>, 'events'>>;

/**
 * A change, as a marble: by default with the cause `watch`, and with a complete cache after it.
 *
 * @example
 * ```ts
 * import { filterObjects, toObjects } from 'rx-informer';
 * import { added, changeOf, deleted, pod, runMarbles, snapshotOf } from 'rx-informer/testing';
 *
 * const [web, db] = [pod('web', { metadata: { labels: { app: 'web' } } }), pod('db')];
 * const values = { s: snapshotOf([web, db]), c: changeOf([deleted(web), added(pod('web'))]) };
 * runMarbles(({ hot, expectObservable }) => {
 *   const change$ = hot('--s-c', values);
 *   const shown = change$.pipe(filterObjects((object) => object.metadata?.labels?.['app'] === 'web'), toObjects());
 *   expectObservable(shown).toBe('--1-2', { 1: [web], 2: [] });
 * });
 * ```
 *
 * @param events - Deletes first.
 */
export function changeOf<T>(
  events: readonly ObjectEvent<T>[],
  { cause = 'watch', synced = true, ...versions }: ChangeFields = {},
): ResourceChange<T> {
  return { cause, events, ...versions, synced };
}

/**
 * The snapshot of a subscriber, as a marble: all objects as `added`.
 *
 * @example
 * ```ts
 * import { toObjects } from 'rx-informer';
 * import { pod, runMarbles, snapshotOf } from 'rx-informer/testing';
 *
 * const web = pod('web');
 * runMarbles(({ hot, expectObservable }) => {
 *   expectObservable(hot('-s', { s: snapshotOf([web]) }).pipe(toObjects())).toBe('-w', { w: [web] });
 * });
 * ```
 */
export function snapshotOf<T extends KubernetesObject>(objects: readonly T[], fields: ChangeFields = {}): ResourceChange<T> {
  return changeOf(
    objects.map((object) => added(object, { initial: true })),
    { cause: 'snapshot', ...fields },
  );
}
