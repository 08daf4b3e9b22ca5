import type { Observable, SchedulerLike } from 'rxjs';
import { checkOptions, type Indexers, rules } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import { SetCollection } from '../kernel/setCollection.js';

/** Options of `fakeCollection`. */
export interface FakeCollectionOptions<T> {
  /** Its name in messages. @defaultValue `fake` */
  readonly name?: string | undefined;
  /** The key of an object. @defaultValue that of its metadata */
  readonly key?: ((object: T) => string) | undefined;
  /** Index functions by name. */
  readonly indexers?: Indexers<T> | undefined;
  /** Whether the content of an array is complete from the start; otherwise `replace` completes it. @defaultValue true */
  readonly synced?: boolean | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** A collection without a server, for views and operators: a test sets its content. */
export interface FakeCollection<T> extends Collection<T> {
  /** Adds or updates objects, in one change. */
  put(...objects: readonly T[]): void;
  /** Deletes the objects under some keys, in one change. */
  remove(...keys: readonly string[]): void;
  /** Makes the content exactly these objects, as a list does. */
  replace(objects: readonly T[]): void;
  /** The number of its subscribers: at most 1, since they share one subscription. */
  subscriptions(): number;
}

/**
 * Makes a collection from an array, or from an Observable of whole contents, for example marbles: an input for views and operators in
 * tests.
 *
 * It behaves like an informer: it emits nothing before the content is complete, one change for each call, the cause `list` for `replace`,
 * and uses the same turns.
 *
 * @example
 * ```ts
 * import { derive } from '@rx-informer/views';
 * import { fakeCollection } from '@rx-informer/views/testing';
 * import { pod } from 'rx-informer/testing';
 *
 * const pods = fakeCollection([pod('a'), pod('b')], { name: 'pods' });
 * const names = derive(pods, ({ metadata }) => metadata?.name);
 * names.change$.subscribe(({ events }) => console.log(events.length));
 * pods.put(pod('c'));
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function fakeCollection<T>(
  source: Iterable<T> | Observable<readonly T[]>,
  options: FakeCollectionOptions<T> = {},
): FakeCollection<T> {
  checkOptions('fakeCollection', options, {
    name: rules.nonEmptyString,
    key: rules.function,
    indexers: rules.object,
    synced: rules.boolean,
    scheduler: rules.scheduler,
  });
  return new SetCollection(source, { ...options, name: options.name ?? 'fake' }) as unknown as FakeCollection<T>;
}
