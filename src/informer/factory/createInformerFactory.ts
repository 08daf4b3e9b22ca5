import '../../api/disposable.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { definedOf } from '../../api/options/definedOf.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resources } from '../../api/resources.js';
import { createInformer, type InformerClient } from '../createInformer.js';
import { createMetadataInformer } from '../createMetadataInformer.js';
import type { InformerFactoryOptions, InformerSelection, SharedInformerFactory, BuiltInInformers } from './informerFactory.js';
import type { InformerControl } from '../session/informerControl.js';
import { type ResourceInformerOptions, resourceInformerRules } from '../informerOptions.js';
import { notAResource } from '../../api/resourceName.js';
import { isResource } from '../isResource.js';
import { createSelectionKeys, resourceKey, type SelectionKey } from './selectionKey.js';
import { waitForCacheSync } from '../waiting/waitForCacheSync.js';

type AnyResource = Resource<KubernetesObject, 'list' | 'watch'>;
type Plurals = Readonly<Record<string, Resource<KubernetesObject, never>>>;
type Catalog = Readonly<Record<string, Readonly<Record<string, Plurals>>>>;

/** The informers of all built-in resources by group, version and plural, each asked for when it is read. */
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

  const catalog: Catalog = { ...resources };
  return mapValues(catalog, (versions) => mapValues(versions, byPlural)) as BuiltInInformers;
}

type CommonOptions = Omit<ResourceInformerOptions<KubernetesObject>, 'transform'>;

const { indexers, initialObjects, metadataOnly, ...sharedRules } = resourceInformerRules;

const isPeriods = (value: unknown): boolean =>
  rules.iterable.holds(value) &&
  [...(value as Iterable<unknown>)].every((pair) => Array.isArray(pair) && isResource(pair[0]) && rules.durationMs.holds(pair[1]));

const factoryRules: OptionRules<InformerFactoryOptions> = {
  ...sharedRules,
  customResync: { expected: 'pairs of a resource and a number of milliseconds >= 0', holds: isPeriods },
};

const { namespace, labelSelector, fieldSelector } = sharedRules;
const selectionRules: OptionRules<InformerSelection> = { namespace, labelSelector, fieldSelector };

/** Whatever is wrong is to be found out now, and not with the first informer. */
function checkFactoryOptions(client: InformerClient, options: InformerFactoryOptions): void {
  checkOptions('createInformerFactory', options, factoryRules);
  const { transform, customResync: _, ...rest } = options;
  void createInformer<KubernetesObject>(client, resources.core.v1.pods, { ...rest, transform, trace: undefined });
}

/** The informers of a factory: one for each selection. */
class InformerPool {
  private readonly informers = new Map<string, InformerControl>();
  private isShutDown = false;
  private resolveStopped!: (quiet: Promise<void>) => void;
  /** Resolves when all have been stopped and none of their callbacks runs any more. */
  readonly stopped: Promise<void> = new Promise((resolve) => {
    this.resolveStopped = resolve;
  });

  /** The informer of a selection, made if there is none that runs. */
  get({ key, name }: SelectionKey, make: () => InformerControl): InformerControl {
    const known = this.informers.get(key);
    if (known !== undefined && (this.isShutDown || !known.isStopped())) return known;
    if (this.isShutDown) {
      const message = `Cannot make an informer of ${name}: the factory has been shut down`;
      throw new InformerError({ code: 'ERR_STOPPED', message, resource: name });
    }
    const informer = make();
    this.informers.set(key, informer);
    return informer;
  }

  all(): InformerControl[] {
    return [...this.informers.values()];
  }

  async release(informer: InformerControl): Promise<void> {
    for (const [key, known] of this.informers) {
      if (known !== informer) continue;
      this.informers.delete(key);
      await informer.stop();
    }
  }

  async shutdown(): Promise<void> {
    this.isShutDown = true;
    const all = this.all();
    await Promise.all(all.map((informer) => informer.stop()));
    this.resolveStopped(Promise.all(all.map((informer) => informer.stopped)).then(() => undefined));
  }
}

/**
 * Makes a set of informers over one client, so that all users of the same objects share one watch and one cache.
 *
 * Informers are made when they are first read, and start with `start()` or with their first subscriber.
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
  const periods = new Map([...(options.customResync ?? [])].map(([resource, periodMs]) => [resourceKey(resource), periodMs]));
  const keyOf = createSelectionKeys();
  const pool = new InformerPool();
  // What one informer learns about streamed lists serves all.
  const common: CommonOptions = { watchListRefusals: new Map<string, number>(), ...rest };

  const informerOf = (
    resource: AnyResource,
    selection: InformerSelection,
    what: string,
    make: (options: CommonOptions) => InformerControl,
  ): InformerControl => {
    if (!isResource(resource)) throw notAResource(resource);
    checkOptions('forResource', selection, selectionRules);
    const wanted = { namespace: resource.namespaced ? usual : undefined, ...definedOf(common), ...definedOf(selection) };
    const selected = keyOf(resource, wanted, what);
    const name = prefix === undefined ? selected.name : `${prefix} ${selected.name}`;
    const resyncPeriodMs = periods.get(resourceKey(resource)) ?? common.resyncPeriodMs;
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
    informers: () => pool.all(),
    start: () => {
      for (const informer of pool.all()) if (!informer.isStopped()) informer.start();
    },
    waitForCacheSync: (waiting) => {
      const started = pool.all().filter((informer) => informer.health().state !== 'idle');
      return waitForCacheSync(started, waiting);
    },
    release: (informer) => pool.release(informer),
    shutdown: () => pool.shutdown(),
    stopped: pool.stopped,
    [Symbol.asyncDispose]: async () => {
      await pool.shutdown();
      await pool.stopped;
    },
  };
}
