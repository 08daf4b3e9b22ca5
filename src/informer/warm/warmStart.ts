import { concat, concatMap, defer, filter, from, isObservable, map, merge, Observable, Subscription, tap, throwError } from 'rxjs';
import { checkOptions, expectArgument, rules } from '../../api/options.js';
import { apiVersionOf, resourceName, resourcePath } from '../../api/resource.js';
import type { LinkState, SourceEvent } from '../../api/events.js';
import { failureOf } from '../../api/errors/informerError.js';
import type { IndexReader } from '../../cache/store/store.js';
import { type SavedSnapshot, type SnapshotStore, type WarmStartOptions, warmStartRules } from './snapshotStore.js';
import { ListDecoder } from '../../client/decode/listDecoder.js';
import { type InformerPart, originFor, type PartOrigin, type PartSetup, type Plug, refusing } from '../parts/part.js';
import { verifierPlug } from '../verify/verifier.js';
import { WarmCache } from './warmCache.js';

/** The saved state of one scope. */
interface Restoration<T> {
  readonly scope: string;
  readonly resource: string;
  readonly resourceVersion: string;
  /** Its objects, in chunks. */
  readonly object$: Observable<readonly T[]>;
  /** Watches from the saved version, and lists if that has expired. */
  readonly resumed$: Observable<SourceEvent<T>>;
  /** Lists and watches from scratch. */
  readonly anew$: Observable<SourceEvent<T>>;
}

/** Emits the saved objects as a list, which completes when they have been read and the watch from their version is trusted. */
function restoredList<T>(
  { scope, resourceVersion }: Pick<Restoration<T>, 'scope' | 'resourceVersion'>,
  emit: (event: SourceEvent<T>) => void,
) {
  /** Events of the watch until then. */
  let held: SourceEvent<T>[] | undefined = [];
  let isRead = false;
  let isTrusted = false;
  let state: LinkState | undefined;
  /** Its failures have been told. */
  const tellOpen = (): void => {
    if (state === 'watching') emit({ type: 'status', scope, state });
  };
  const settle = (): void => {
    const events = isRead && isTrusted ? held : undefined;
    if (events === undefined) return;
    held = undefined;
    emit({ type: 'ready', scope, resourceVersion });
    tellOpen();
    events.forEach(emit);
  };
  emit({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
  return {
    read: (): void => {
      isRead = true;
      settle();
    },
    live: (event: SourceEvent<T>): void => {
      if (held === undefined) {
        emit(event);
      } else if (event.type === 'init') {
        // The version has expired, or the period is over: the new list replaces the saved one.
        held = undefined;
        tellOpen();
        emit({ ...event, reason: 'first', previousResourceVersion: '' });
      } else if (event.type === 'status') {
        ({ state } = event);
        // An open watch without an error shows that the version has not expired.
        if (event.state === 'watching' && event.error === undefined) isTrusted = true;
        else emit(event);
        settle();
      } else {
        held.push(event);
      }
    },
  };
}

/**
 * Emits the saved state of an earlier run, then the changes since.
 *
 * ```text
 * object$    (ab)(c)|
 * resumed$   ---------w--d--        w: the watch from the saved version is trusted
 * result     i(p)(p)--(rw)d--       one atomic list, then the events of the watch
 *
 * resumed$   ---------i-p-r-d--     the version has expired
 * result     i(p)(p)--i-p-r-d--     one atomic list from the server, and none of the saved objects
 * ```
 *
 * If the snapshot cannot be read, that is reported (`ERR_SNAPSHOT`), and a list replaces it.
 *
 * @internal
 */
export function restoring<T>({ object$, resumed$, anew$, ...about }: Restoration<T>): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const both = new Subscription();
    subscriber.add(both);
    const session = restoredList<T>(about, (event) => subscriber.next(event));
    const giveUp = (cause: unknown): void => {
      both.unsubscribe();
      const { scope, resource } = about;
      const error = failureOf('ERR_SNAPSHOT', `The snapshot of ${resource} cannot be read, everything is listed`, cause, { resource });
      subscriber.next({ type: 'status', scope, state: 'listing', error });
      subscriber.add(anew$.subscribe(subscriber));
    };
    const reading = object$.subscribe({
      next: (items) => subscriber.next({ type: 'page', scope: about.scope, items }),
      error: giveUp,
      complete: () => session.read(),
    });
    both.add(reading);
    if (both.closed) return;
    both.add(
      resumed$.subscribe({
        next: (event) => {
          if (event.type === 'init') reading.unsubscribe();
          session.live(event);
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
  });
}

const text = new TextEncoder();
const beginning = text.encode('{"items":[');
const comma = text.encode(',');
const end = text.encode(']}');

type EventsOf = Parameters<NonNullable<Plug['source']>>[0];

/** Makes the warm cache of an informer, once its sources are known. */
type Warming = (events: EventsOf) => WarmCache;

/** @throws TypeError when an informer on a resource cannot have a warm start. */
function refuseWarm(setup: PartSetup, { secrets }: WarmStartOptions): void {
  const refuse = refusing('warmStart', setup.resource);
  const { of, client } = originFor('warmStart', setup);
  if (of.group === '' && of.plural === 'secrets' && secrets !== true) refuse('Secrets would be written down; `secrets: true` allows it');
  if (setup.transform !== undefined) refuse('the saved results of its `transform` may be out of date, since the function may have changed');
  if (setup.has('sharding')) refuse('its shard changes');
  if (setup.has('readYourWrites')) refuse('it has the part `readYourWrites`');
  if (client.server === undefined) refuse('its client has no `server`');
}

/** The saved objects of a scope, decoded like a list from the server, so that they share equal parts with its objects. */
function savedObjects(origin: PartOrigin, scope: string, saved: SavedSnapshot, cache: WarmCache): Observable<readonly unknown[]> {
  const { of, managedFields = 'drop', metadataOnly = false, sharedBy } = origin;
  const shape = { resource: resourceName(of), apiVersion: apiVersionOf(of), kind: of.kind, managedFields, metadataOnly, scope };
  // It ends early if the snapshot was closed because another scope is damaged.
  const end$ = defer(() => (cache.reads(saved) ? [end] : throwError(() => new Error('something else in it is damaged'))));
  return defer(() => {
    const decoder = new ListDecoder<object>(shape, sharedBy);
    const parts$ = from(saved.readAll(scope)).pipe(concatMap((part, index) => (index === 0 ? [part] : [comma, part])));
    return concat([beginning], parts$, end$).pipe(
      map((bytes) => {
        const items: object[] = [];
        decoder.push(bytes, (chunk) => items.push(...chunk.items));
        return items;
      }),
      filter((items) => items.length > 0),
      tap((items) => saved.restored?.(scope, items)),
    );
  });
}

/** Restores the cache of an informer on a resource, which resumes from it. @throws TypeError when it cannot have one. */
function warmResource(setup: PartSetup, store: SnapshotStore, options: WarmStartOptions): Warming {
  const { resource: name } = setup;
  const origin = originFor('warmStart', setup);
  const { client, of, namespace = '', labelSelector, fieldSelector, tweakListOptions } = origin;
  refuseWarm(setup, options);
  if (isObservable(namespace)) refusing('warmStart', name)('its namespaces change');
  const tweaked = tweakListOptions?.({});
  const scopes = [...new Set([namespace as string | readonly string[]].flat())].sort();

  const scopeEvents = (
    events: EventsOf,
    scope: string,
    saved: SavedSnapshot | undefined,
    cache: WarmCache,
  ): Observable<SourceEvent<unknown>> => {
    const resourceVersion = saved?.resourceVersions.get(scope);
    if (saved === undefined || resourceVersion === undefined) return events(scope);
    return restoring({
      ...{ scope, resource: name, resourceVersion },
      object$: savedObjects(origin, scope, saved, cache),
      resumed$: events(scope, resourceVersion),
      anew$: defer(() => {
        cache.forget();
        return events(scope);
      }),
    });
  };

  return (events) =>
    new WarmCache({
      ...{ store, options, resource: name, scopes, freeze: setup.freeze },
      identity: async () => {
        const { managedFields = 'drop', metadataOnly = false } = origin;
        const selection = { labelSelector, fieldSelector, managedFields, metadataOnly, tweaked };
        return JSON.stringify([await client.server?.(), resourcePath(of), scopes, selection]);
      },
      events: (saved, cache) => merge(...scopes.map((scope) => scopeEvents(events, scope, saved, cache))),
    });
}

/**
 * Shows the snapshot in an informer over source events until the first list of the source is complete, which replaces it without a comparison.
 *
 * @throws TypeError if the informer cannot have one.
 */
function warmSource({ resource, transform, sourceScopes, freeze }: PartSetup, store: SnapshotStore, options: WarmStartOptions): Warming {
  const refuse = refusing('warmStart', resource);
  if (resource === '') refuse('it has no `resource`, by which it would be known again');
  if (transform !== undefined) refuse('the saved results of its `transform` may be out of date, since the function may have changed');
  if (sourceScopes !== undefined) refuse('it has `scopes`');
  return (events) =>
    new WarmCache({
      ...{ store, options, resource, scopes: [''], freeze },
      identity: () => Promise.resolve(JSON.stringify(['source', resource])),
      events: () => events(''),
    });
}

/**
 * Starts an informer with the cache that an earlier run has saved, and saves it for the next one. Until the first list is complete, or the watch from the saved
 * version is open, reads return the saved objects, in the state `restored`; nothing is emitted. A resumed cache is then compared with the server, by the rules of
 * `verification`.
 *
 * An informer over source events needs `resource`. The selection of a source is unknown: use a separate store for every user, scope and selection of fields, because
 * informers with the same store and `resource` show each other's saved cache. If the source reports that the user is forbidden to read (`isForbidden`), the saved
 * cache is not shown, and is cleared.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { warmStart } from 'rx-informer/pipeline';
 * import { snapshotFile } from '@rx-informer/controller/manager';
 *
 * const saved = warmStart(snapshotFile('/var/cache/web/pods.snapshot'));
 * createInformer(createClient(), resources.core.v1.pods, { parts: [saved] }).start();
 * ```
 *
 * @param store - where the cache is kept: `snapshotFile` of `@rx-informer/controller/manager`, or `snapshotDatabase` of `rx-informer/browser`.
 * @throws TypeError when the store or an option is wrong.
 */
export function warmStart(store: SnapshotStore, options: WarmStartOptions = {}): InformerPart {
  expectArgument('warmStart', 'store', store, rules.withMethods('open', 'save'));
  checkOptions('warmStart', options, warmStartRules);
  return {
    part: 'warmStart',
    plug: (setup) => {
      const warming = setup.isSource ? warmSource(setup, store, options) : warmResource(setup, store, options);
      const verifying: Plug = setup.isSource || setup.has('verification') ? {} : verifierPlug(setup, {});
      let cache: WarmCache | undefined;
      return {
        ...verifying,
        source: (events) => {
          cache = warming(events);
          return cache.event$;
        },
        attach: (plugged) => ({
          ...verifying.attach?.(plugged),
          reader: cache?.attach(plugged) as IndexReader<never>,
          savedAt: () => cache?.savedAt(),
          release: () => cache?.save(),
        }),
      };
    },
  };
}
