import { defer, isObservable, merge, noop, Observable, Subject, takeUntil, tap } from 'rxjs';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { ListerWatcher } from '../api/listerWatcher.js';
import type { SourceEvent } from '../api/events.js';
import { readsShared } from '../client/decode/objectReader.js';
import { listerWatcher, type ListerWatcherOptions } from '../source/listerWatcher.js';
import { reflectWith } from '../source/reflector/reflect.js';
import { type ReflectOptions, reflectSettings } from '../source/reflector/reflectOptions.js';
import { checkOptions, definedOf, describeValue, expectArgument } from '../api/options.js';
import {
  areNamespaces,
  type InformerOptions,
  informerRules,
  type ResourceInformerOptions,
  resourceInformerRules,
  type SourceInformerOptions,
  sourceInformerRules,
} from './informerOptions.js';
import { parseLabelSelector } from '../api/selectors.js';
import { isResource, notAResource, type Resource, resourceName } from '../api/resource.js';
import { Informer, type InformerSource } from './informer.js';
import { type InformerClient, type PartOrigin, Plugs } from './parts/part.js';
import { follow, Trampoline } from '../rx/trampoline.js';
import type { SharedInformer } from './sharedInformer.js';

/** Fails where an Observable of namespaces emits something else. */
const expectLists = tap<readonly string[]>((names) =>
  expectArgument('createInformer', 'namespace', names, { expected: 'an Observable of lists', holds: areNamespaces }),
);

/**
 * Merges one source per namespace of a list that may change. A namespace that is removed ends with an empty list, which deletes its objects. `scopes` is
 * updated with the list.
 *
 * @param turns - the trampoline in which events are applied: a change of the list waits until earlier events have been.
 */
export function namespacesSource<T>(
  namespaces: Observable<readonly string[]>,
  sourceOf: (namespace: string) => Observable<SourceEvent<T>>,
  scopes: Set<string>,
  turns: Trampoline = new Trampoline(),
): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const left = new Map<string, Subject<void>>();
    scopes.clear();

    const leave = (scope: string): void => {
      subscriber.next({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
      subscriber.next({ type: 'ready', scope, resourceVersion: '' });
    };

    const followWanted = (wanted: ReadonlySet<string>): void => {
      const leaving = [...scopes].filter((namespace) => !wanted.has(namespace));
      const entering = [...wanted].filter((namespace) => !scopes.has(namespace));
      for (const namespace of leaving) {
        scopes.delete(namespace);
        left.get(namespace)?.next();
        left.delete(namespace);
      }
      for (const namespace of entering) scopes.add(namespace);
      for (const namespace of leaving) leave(namespace);
      // Without any namespace, an empty list of scope '' makes the informer synced.
      if (wanted.size === 0 && leaving.length === 0) leave('');
      for (const namespace of entering) {
        const left$ = new Subject<void>();
        left.set(namespace, left$);
        follow(defer(() => sourceOf(namespace)).pipe(takeUntil(left$)), subscriber, {
          next: (event) => subscriber.next(event),
          complete: noop,
        });
      }
    };

    // An emission may change the namespaces again: then only the newest list is used.
    let latest: readonly string[] = [];
    const followLatest = (names: readonly string[]): void => {
      latest = names;
      turns.run(() => {
        if (names === latest && !subscriber.closed) followWanted(new Set(names));
      });
    };

    follow(namespaces.pipe(expectLists), subscriber, { next: followLatest, complete: noop });
  });
}

/** The options of `reflect` among those of an informer. `onError` is not: the informer calls it, when it has emitted the failure. */
function reflected<T, U>(options: InformerOptions<T, U>): ReflectOptions {
  const { name, scheduler, pageSize, listStrategy, idleTimeoutMs, relistPeriodMs, backoff, random } = options;
  return definedOf({ name, scheduler, pageSize, listStrategy, idleTimeoutMs, relistPeriodMs, backoff, random });
}

/** The selection of an informer: for display, and to find informers of the same objects. */
function originOf(
  { client, of, namespace, labelSelector, fieldSelector, metadataOnly = false, tweakListOptions }: PartOrigin,
  { isSharded, transform }: { readonly isSharded: boolean; readonly transform: unknown },
): Pick<InformerSource<unknown>, 'selection' | 'isWhole' | 'readsWith'> {
  const namespaces = isObservable(namespace) ? ['some that change'] : [namespace ?? ''].flat().filter((each) => each !== '');
  const parts = [
    namespaces.length === 0
      ? of.namespaced
        ? 'all namespaces'
        : ''
      : `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${[...namespaces].sort().join(', ')}`,
    labelSelector === undefined ? '' : `labels ${parseLabelSelector(labelSelector).toString()}`,
    fieldSelector === undefined ? '' : `fields ${fieldSelector}`,
    metadataOnly ? 'metadata only' : '',
    isSharded ? 'of the shard' : '',
  ];
  const selection = parts.filter((part) => part !== '').join(', ');
  const isComparable = !isObservable(namespace) && tweakListOptions === undefined && !isSharded && transform === undefined;
  const isWhole =
    parts.slice(1).every((part) => part === '') && namespaces.length === 0 && transform === undefined && tweakListOptions === undefined;
  return { selection, isWhole, readsWith: isComparable ? client : undefined };
}

function sourceOfResource<T extends KubernetesObject, U>(
  client: InformerClient,
  of: Resource<T, 'list' | 'watch'>,
  options: ResourceInformerOptions<T, U>,
  { sharedBy, cached }: Pick<PartOrigin, 'sharedBy' | 'cached'>,
): InformerSource<T> {
  const { namespace, labelSelector, fieldSelector, managedFields, parts = [], transform } = options;
  const resource = resourceName(of);
  const { listSemantics, listTimeoutMs, ...requested } = Plugs.requests(parts);
  const scopes = new Set<string>(isObservable(namespace) ? [] : [namespace ?? ''].flat());
  const reading = { labelSelector, fieldSelector, managedFields, ...requested };
  const origin: PartOrigin = { client, of, namespace, scopes, sharedBy, cached, ...reading };
  const plugs = new Plugs(parts, { ...options, resource, origin, isSource: false });
  // Shared by all namespaces: if the server refuses to stream lists to one reflector, the others do not try.
  const watchListRefusals = new Map<string, number>();
  const settings: ReflectOptions = {
    ...reflected(options),
    ...definedOf({ listSemantics, listTimeoutMs, trace: plugs.trace() }),
    watchListRefusals,
  };
  const listerOf = (place: string, more: ListerWatcherOptions): ListerWatcher<T> =>
    listerWatcher(client, of, { ...reading, ...more, namespace: place });
  const [sharded, relist$] = [plugs.find('reflected'), plugs.find('relist$')];
  const eventsOf = (place: string, from?: string): Observable<SourceEvent<T>> => {
    const lister = (more?: ListerWatcherOptions): ListerWatcher<T> => listerOf(place, { sharedBy, ...more });
    if (sharded !== undefined) return sharded(place, settings, lister as () => ListerWatcher<never>);
    return reflectWith(lister(), reflectSettings(settings), { from, relist$, tracing: plugs.tracing() });
  };

  const turns = new Trampoline();
  // With an Observable of namespaces, build one source now to find wrong options, not with the first namespace.
  if (isObservable(namespace)) void eventsOf('');
  const event$ = isObservable(namespace)
    ? namespacesSource(namespace, (place) => eventsOf(place), scopes, turns)
    : (plugs.find('source')?.(eventsOf) ?? merge(...[...scopes].map((place) => eventsOf(place))));
  return {
    resource,
    ...originOf(origin, { isSharded: sharded !== undefined, transform }),
    event$: (plugs.find('followed')?.(event$) ?? event$) as Observable<SourceEvent<T>>,
    turns,
    scopes: namespace === undefined || typeof namespace === 'string' ? undefined : scopes,
    // A verifying list contains the objects of other shards, which would all count as missing.
    ...(sharded === undefined && {
      relisting: { scopes: () => [...scopes], lister: (scope, metadataOnly) => listerOf(scope, metadataOnly ? { metadataOnly } : {}) },
    }),
    plugs,
  };
}

function sourceOfEvents<T, U>(events: Observable<SourceEvent<T>>, options: SourceInformerOptions<T, U>): InformerSource<T> {
  const { resource, scopes, parts = [] } = options;
  const plugs = new Plugs(parts, { ...options, resource: resource ?? '', sourceScopes: scopes, isSource: true });
  const event$ = (plugs.find('source')?.(() => events) ?? events) as Observable<SourceEvent<T>>;
  return { resource: resource ?? 'objects', event$, plugs, ...(scopes !== undefined && { scopes: new Set(scopes) }) };
}

function sourceOfLister<T extends KubernetesObject, U>(lister: ListerWatcher<T>, options: InformerOptions<T, U>): InformerSource<T> {
  const { parts = [] } = options;
  const { resource = 'objects' } = lister;
  const plugs = new Plugs(parts, { ...options, resource, isSource: false });
  const { listSemantics, listTimeoutMs } = Plugs.requests(parts);
  const settings = reflectSettings({ ...reflected(options), ...definedOf({ listSemantics, listTimeoutMs }) });
  const event$ = reflectWith(lister, settings, { tracing: plugs.tracing() });
  return { resource, event$, plugs };
}

function expectMethods(what: string, value: unknown, ...methods: readonly string[]): void {
  const missing = methods.filter((method) => typeof (value as Record<string, unknown> | null | undefined)?.[method] !== 'function');
  if (missing.length > 0)
    throw new TypeError(
      `Expected ${what} with the methods ${methods.join(' and ')}, got ${describeValue(value)} without ${missing.join(' and ')}`,
    );
}

/**
 * Makes an informer over any lister-watcher: a replay, a poll, a test's fake, or custom requests to a server.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { listerWatcher } from 'rx-informer/pipeline';
 *
 * const pods = createInformer(listerWatcher(createClient(), resources.core.v1.pods, { namespace: 'default' }), { name: 'my pods' });
 * pods.index$.subscribe((index) => console.log(index.size));
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function createInformer<T extends KubernetesObject, U = T>(
  listerWatcher: ListerWatcher<T>,
  options?: InformerOptions<T, U>,
): SharedInformer<U>;
/**
 * Makes an informer over source events of any origin: `reflect`, `mergeSources`, `replaySource`, `pollSource`, or marbles.
 *
 * A session of the informer is one subscription. When the source completes, the informer is stopped and keeps its content; when it fails, so do
 * the informer's observables. Failures in `status` events go to `error$`, `health$` and `onError`. Objects without metadata need source events with keys.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { listerWatcher, mergeSources, reflect } from 'rx-informer/pipeline';
 *
 * const client = createClient();
 * const scopes = ['web', 'db'];
 * const sources = scopes.map((namespace) => reflect(listerWatcher(client, resources.core.v1.pods, { namespace })));
 * const pods = createInformer(mergeSources(sources), { resource: 'pods', scopes });
 * ```
 */
export function createInformer<T, U = T>(source: Observable<SourceEvent<T>>, options?: SourceInformerOptions<T, U>): SharedInformer<U>;
/**
 * Makes an informer: a live, indexed copy of the objects of a resource, and every change to it as an Observable.
 *
 * ```text
 * server     a b            a'          c            (b is deleted, connection lost)         list: a' c d
 * resource$     +a +b synced   ~a          +c                                                 -b +d synced
 * health$    idle listing watching                              retrying  listing                  watching
 * ```
 *
 * Nothing happens until the first subscription to `change$`, `resource$`, `events()`, `process()` or `index$`, or `start()` or `whenSynced()`. From then
 * on failures are retried without limit: they are emitted on `error$` and shown in `health$`, and stop nothing unless `onError` returns `'stop'`, or the
 * client has never had a usable kubeconfig.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods, { namespace: 'default', labelSelector: 'app=web' });
 * pods.resource$.subscribe((event) => {
 *   if (event.type === 'updated') console.log(event.key, event.oldObject.status?.phase, event.object.status?.phase);
 * });
 * ```
 *
 * @throws TypeError when an option is wrong, or the server cannot list and watch the resource.
 *
 * @see client-go: `NewSharedIndexInformerWithOptions`
 */
export function createInformer<T extends KubernetesObject, U = T>(
  client: InformerClient,
  resource: Resource<T, 'list' | 'watch'>,
  options?: ResourceInformerOptions<T, U>,
): SharedInformer<U>;
export function createInformer<T extends KubernetesObject, U = T>(
  clientOrSource: InformerClient | ListerWatcher<T> | Observable<SourceEvent<T>>,
  resourceOrOptions?: Resource<T, 'list' | 'watch'> | InformerOptions<T, U>,
  options: ResourceInformerOptions<T, U> = {},
): SharedInformer<U> {
  const given = resourceOrOptions ?? {};
  if (isObservable(clientOrSource)) {
    const settings = given as SourceInformerOptions<T, U>;
    checkOptions<SourceInformerOptions<T, U>>('createInformer', settings, sourceInformerRules);
    return new Informer(sourceOfEvents(clientOrSource, settings), settings);
  }
  if (isResource<T>(given)) {
    expectMethods('a client', clientOrSource, 'listChunks', 'watch');
    checkOptions<ResourceInformerOptions<T, U>>('createInformer', options, resourceInformerRules);
    // A transform may change objects in place, and shared parts must be frozen.
    const sharedBy = options.transform === undefined && options.freeze !== false ? {} : undefined;
    const cached: PartOrigin['cached'] = () => informer.indexer;
    const source = sourceOfResource(clientOrSource as InformerClient, given, options, { sharedBy, cached });
    const informer: SharedInformer<U> = new Informer<T, U>({ ...source, comesShared: sharedBy !== undefined && readsShared }, options);
    return informer;
  }
  if ('listChunks' in clientOrSource) throw notAResource(resourceOrOptions);
  expectMethods('a lister-watcher, or a client and a resource,', clientOrSource, 'list', 'watch');
  const misplaced = Object.keys(given).find((name) => Object.hasOwn(resourceInformerRules, name) && !Object.hasOwn(informerRules, name));
  if (misplaced !== undefined) {
    throw new TypeError(`Expected \`${misplaced}\` to be an option of the lister-watcher, got it as one of its informer`);
  }
  checkOptions<InformerOptions<T, U>>('createInformer', given, informerRules);
  return new Informer(sourceOfLister(clientOrSource, given), given);
}
