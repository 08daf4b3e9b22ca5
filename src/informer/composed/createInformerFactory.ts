import { checkOptions, definedOf, expectArgument, type OptionRules, rules } from '../../api/options.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { resources } from '../../api/resources.js';
import { createInformer } from '../createInformer.js';
import type { InformerClient } from '../parts/part.js';
import { createMetadataInformer, type PartialObjectMetadata } from './createMetadataInformer.js';
import type { InformerControl, SharedInformer } from '../sharedInformer.js';
import { type ResourceInformerOptions, resourceInformerRules } from '../informerOptions.js';
import { isResource, notAResource, type Resource, resourceName } from '../../api/resource.js';
import { waitForCacheSync } from '../waiting/waitForCacheSync.js';
import { isObservable } from 'rxjs';
import { parseLabelSelector } from '../../api/selectors.js';
import type { WaitOptions } from '../waiting/waitFor.js';

/** The selection of an informer; without a `namespace`, that of the factory. */
export type InformerSelection = Pick<ResourceInformerOptions<never>, 'namespace' | 'labelSelector' | 'fieldSelector'>;

/** Options of `createInformerFactory`: they apply to all its informers. */
export interface InformerFactoryOptions extends Omit<ResourceInformerOptions<KubernetesObject>, 'indexers' | 'transform'> {
  /** Makes the cached value of every object; must keep the fields that its type requires. */
  readonly transform?: (<T extends KubernetesObject>(object: T) => T) | undefined;
  /** The resync periods of single resources, instead of `resyncPeriodMs`. */
  readonly customResync?: Iterable<readonly [resource: Resource<unknown, never>, resyncPeriodMs: number]> | undefined;
}

type Catalog = typeof resources;

type InformersOf<Plurals> = {
  readonly [P in keyof Plurals as Plurals[P] extends Resource<unknown, 'list' | 'watch'> ? P : never]: Plurals[P] extends Resource<
    infer T,
    'list' | 'watch'
  >
    ? SharedInformer<T>
    : never;
};

/** The informers of all built-in resources that can be listed and watched, by group, version and plural. */
export type BuiltInInformers = {
  readonly [G in keyof Catalog]: { readonly [V in keyof Catalog[G]]: InformersOf<Catalog[G][V]> };
};

/**
 * A set of informers over one client: one per resource and selection, created at the first access.
 *
 * @see client-go: `SharedInformerFactory`, `DynamicSharedInformerFactory` and `metadatainformer`
 */
export interface SharedInformerFactory extends BuiltInInformers {
  /**
   * The informer of a resource, of any kind. The same selection returns the same informer until it is stopped: then the next call creates
   * another.
   *
   * @throws TypeError when the resource or the selection is wrong; InformerError `ERR_STOPPED` after `shutdown`, for an informer not created before.
   */
  forResource<T extends KubernetesObject>(resource: Resource<T, 'list' | 'watch'>, selection?: InformerSelection): SharedInformer<T>;
  /** The informer of the metadata of a resource's objects; the factory's `transform` is not applied. */
  forMetadata(resource: Resource<KubernetesObject, 'list' | 'watch'>, selection?: InformerSelection): SharedInformer<PartialObjectMetadata>;
  /** Every informer that was created and not released. */
  informers(): readonly InformerControl[];
  /** Starts every informer created so far. Call it again for those created later. */
  start(): void;
  /** Waits for the informers that have been started; resolves at once if there are none. */
  waitForCacheSync(options?: WaitOptions): ReturnType<typeof waitForCacheSync>;
  /**
   * Stops one informer and removes it, by the rules of its `stop`; the next call for its selection creates another. Does nothing for an informer of
   * another factory.
   */
  release(informer: InformerControl): Promise<void>;
  /** Stops all informers for good. Does not wait for running handler calls, so a handler may await it; `stopped` waits for them. */
  shutdown(): Promise<void>;
  /** Resolves when the factory has been shut down and no callback of its informers is running. */
  readonly stopped: Promise<void>;
  /** `shutdown` and `stopped`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The place of a resource in the URL space. */
function resourceKey({ group, version, plural }: Resource<unknown, never>): string {
  return `${group}/${version}/${plural}`;
}

/** Makes a function that identifies a selection, and names it. Observables of namespaces are compared by identity. */
function createSelectionKeys() {
  const observables = new WeakMap<object, string>();
  let count = 0;

  const namespaceText = (namespace: InformerSelection['namespace']): string => {
    if (namespace === undefined) return '';
    if (typeof namespace === 'string') return namespace;
    if (!isObservable(namespace)) return [...new Set(namespace)].sort().join(', ');
    const text = observables.get(namespace) ?? `observed namespaces ${(count += 1)}`;
    observables.set(namespace, text);
    return text;
  };

  return (resource: Resource<unknown, never>, { namespace, labelSelector, fieldSelector = '' }: InformerSelection, what: string) => {
    const where = namespaceText(namespace);
    const labels = labelSelector === undefined ? '' : parseLabelSelector(labelSelector).toString();
    const selectors = [labels, fieldSelector].filter((selector) => selector !== '');
    const name = [resourceName(resource), what, where && `in ${where}`, selectors.length > 0 && `with ${selectors.join(' and ')}`];
    return { key: JSON.stringify([resourceKey(resource), what, where, labels, fieldSelector]), name: name.filter(Boolean).join(' ') };
  };
}

type AnyResource = Resource<KubernetesObject, 'list' | 'watch'>;
type Plurals = Readonly<Record<string, Resource<KubernetesObject, never>>>;

/** The informers of all built-in resources by group, version and plural, each created when it is read. */
function builtInInformers(informerOf: (resource: AnyResource) => unknown): BuiltInInformers {
  const mapValues = <V, R>(record: Readonly<Record<string, V>>, map: (value: V) => R): Record<string, R> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

  const byPlural = (plurals: Plurals): object => {
    const informers = {};
    for (const [plural, resource] of Object.entries(plurals)) {
      if (!('list' in resource.verbs && 'watch' in resource.verbs)) continue;
      Object.defineProperty(informers, plural, { enumerable: true, get: () => informerOf(resource as AnyResource) });
    }
    return informers;
  };

  return mapValues<Readonly<Record<string, Plurals>>, object>({ ...resources }, (versions) =>
    mapValues(versions, byPlural),
  ) as BuiltInInformers;
}

const { indexers, ...sharedRules } = resourceInformerRules;

const isPeriod = (pair: unknown): boolean => Array.isArray(pair) && isResource(pair[0]) && rules.durationMs.holds(pair[1]);
const pairs = 'pairs of a resource and a number of milliseconds >= 0';
const factoryRules: OptionRules<InformerFactoryOptions> = { ...sharedRules, customResync: { ...rules.iterable, expected: pairs } };

/** The resync periods of single resources. They are read once, since an iterator can be read once only. */
function periodsOf({ customResync = [] }: InformerFactoryOptions): ReadonlyMap<string, number> {
  const given = [...customResync];
  expectArgument('createInformerFactory', 'customResync', given, { expected: pairs, holds: () => given.every(isPeriod) });
  return new Map(given.map(([resource, periodMs]) => [resourceKey(resource), periodMs]));
}

const { namespace, labelSelector, fieldSelector } = sharedRules;
const selectionRules: OptionRules<InformerSelection> = { namespace, labelSelector, fieldSelector };

/** Checks the options when the factory is created, not with the first informer. */
function checkFactoryOptions(client: InformerClient, options: InformerFactoryOptions): void {
  checkOptions('createInformerFactory', options, factoryRules);
  const { transform, customResync: _, ...rest } = options;
  void createInformer<KubernetesObject>(client, resources.core.v1.pods, {
    ...rest,
    transform,
    parts: rest.parts?.filter(({ part }) => part !== 'tracing'),
  });
}

/** The informers of a factory, one per selection. */
function createPool() {
  const informers = new Map<string, InformerControl>();
  let isShutDown = false;
  let resolveStopped: (quiet: Promise<void>) => void;
  const all = (): InformerControl[] => [...informers.values()];
  return {
    all,
    /** Resolves when all have been stopped and none of their callbacks is running. */
    stopped: new Promise<void>((resolve) => (resolveStopped = resolve)),
    /** The informer of a selection, created if none is running. */
    get: ({ key, name }: Readonly<Record<'key' | 'name', string>>, make: () => InformerControl): InformerControl => {
      const known = informers.get(key);
      if (known !== undefined && (isShutDown || !known.isStopped())) return known;
      if (isShutDown) {
        const message = `Cannot make an informer of ${name}: the factory has been shut down`;
        throw new InformerError({ code: 'ERR_STOPPED', message, resource: name });
      }
      const informer = make();
      informers.set(key, informer);
      return informer;
    },
    release: async (informer: InformerControl): Promise<void> => {
      for (const [key, known] of informers) {
        if (known !== informer) continue;
        informers.delete(key);
        await informer.stop();
      }
    },
    shutdown: async (): Promise<void> => {
      isShutDown = true;
      const stopping = all();
      await Promise.all(stopping.map((informer) => informer.stop()));
      resolveStopped(Promise.all(stopping.map(({ stopped }) => stopped)).then(() => undefined));
    },
  };
}

/**
 * Makes a set of informers over one client, so that all users of the same objects share one watch and one cache.
 *
 * Informers are created when they are first read, and start with `start()` or with their first subscriber.
 *
 * @example
 * ```ts
 * import { createClient, createInformerFactory } from 'rx-informer';
 *
 * const factory = createInformerFactory(createClient(), { namespace: 'default', resyncPeriodMs: 60_000 });
 * const { pods } = factory.core.v1;
 * pods.addEventHandler({ onAdd: (pod) => console.log(pod.metadata?.name) });
 * factory.start();
 * const { error } = await factory.waitForCacheSync({ timeoutMs: 30_000 });
 * if (error !== undefined) throw error;
 * ```
 *
 * @throws TypeError when an option is wrong.
 *
 * @see client-go: `NewSharedInformerFactoryWithOptions`
 */
export function createInformerFactory(client: InformerClient, options: InformerFactoryOptions = {}): SharedInformerFactory {
  checkFactoryOptions(client, options);
  const { transform, customResync: _, name: prefix, namespace: usual, ...rest } = options;
  const periods = periodsOf(options);
  const keyOf = createSelectionKeys();
  const pool = createPool();

  const informerOf = (
    resource: AnyResource,
    selection: InformerSelection,
    what: string,
    make: (options: Omit<InformerFactoryOptions, 'transform' | 'customResync'>) => InformerControl,
  ): InformerControl => {
    if (!isResource(resource)) throw notAResource(resource);
    checkOptions('forResource', selection, selectionRules);
    const wanted = { namespace: resource.namespaced ? usual : undefined, ...definedOf(rest), ...definedOf(selection) };
    const selected = keyOf(resource, wanted, what);
    const name = prefix === undefined ? selected.name : `${prefix} ${selected.name}`;
    const resyncPeriodMs = periods.get(resourceKey(resource)) ?? rest.resyncPeriodMs;
    return pool.get(selected, () => make({ ...wanted, resyncPeriodMs, name }));
  };

  const forResource = (resource: AnyResource, selection: InformerSelection = {}): InformerControl =>
    informerOf(resource, selection, '', (made) => createInformer(client, resource, { ...made, transform }));
  const forMetadata = (resource: AnyResource, selection: InformerSelection = {}): InformerControl =>
    informerOf(resource, selection, 'metadata', (made) => createMetadataInformer(client, resource, made as object));

  return {
    ...builtInInformers((resource) => forResource(resource)),
    forResource: forResource as SharedInformerFactory['forResource'],
    forMetadata: forMetadata as SharedInformerFactory['forMetadata'],
    informers: pool.all,
    start: () => {
      for (const informer of pool.all()) if (!informer.isStopped()) informer.start();
    },
    waitForCacheSync: (waiting) => {
      const started = pool.all().filter((informer) => informer.health().state !== 'idle');
      return waitForCacheSync(started, waiting);
    },
    release: pool.release,
    shutdown: pool.shutdown,
    stopped: pool.stopped,
    [Symbol.asyncDispose]: async () => {
      await pool.shutdown();
      await pool.stopped;
    },
  };
}
