import { InformerError } from '../api/informerError.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import { builtInInformers } from './builtInInformers.js';
import { checkInformerOptions } from './checkInformerOptions.js';
import { createInformer, type InformerClient } from './createInformer.js';
import { createMetadataInformer } from './createMetadataInformer.js';
import type { InformerFactoryOptions, InformerSelection, SharedInformerFactory } from './informerFactory.js';
import type { InformerControl } from './informerControl.js';
import type { ResourceInformerOptions } from './informerOptions.js';
import { isResource, notAResource } from './isResource.js';
import { checkResyncPeriod } from './resyncClock.js';
import { createSelectionKeys, resourceKey } from './selectionKey.js';
import { waitForCacheSync } from './waitForCacheSync.js';

type AnyResource = Resource<KubernetesObject, 'list' | 'watch'>;
type CommonOptions = Omit<ResourceInformerOptions<KubernetesObject>, 'transform'>;

function periodsOf({ customResync = [] }: InformerFactoryOptions): ReadonlyMap<string, number> {
  const periods = new Map<string, number>();
  for (const [resource, periodMs] of customResync) {
    checkResyncPeriod(periodMs);
    periods.set(resourceKey(resource), periodMs);
  }
  return periods;
}

/** An option that is undefined does not hide one that is not. */
function definedOf<O extends object>(options: O): Partial<O> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<O>;
}

/**
 * Makes a set of informers over one client, so that everybody who wants the same objects shares one watch and one cache.
 *
 * Informers are made when they are first asked for, and start with `start()` or with their first subscriber.
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
  checkInformerOptions(options);
  const { transform, customResync: _, name: prefix, namespace, ...rest } = options;
  const periods = periodsOf(options);
  const keyOf = createSelectionKeys();
  const informers = new Map<string, InformerControl>();
  // What one informer learns about streamed lists serves all.
  const common: CommonOptions = { watchListRefusals: new Map<string, number>(), ...rest };
  let isShutDown = false;

  const informerOf = (
    resource: AnyResource,
    selection: InformerSelection,
    what: string,
    make: (options: CommonOptions) => InformerControl,
  ): InformerControl => {
    if (!isResource(resource)) throw notAResource(resource);
    const wanted = { namespace: resource.namespaced ? namespace : undefined, ...definedOf(common), ...definedOf(selection) };
    const { key, name } = keyOf(resource, wanted, what);
    const known = informers.get(key);
    if (known !== undefined && (isShutDown || !known.isStopped())) return known;
    if (isShutDown) {
      throw new InformerError({
        code: 'ERR_STOPPED',
        message: `Cannot make an informer of ${name}: the factory has been shut down`,
        resource: name,
      });
    }
    const resyncPeriodMs = periods.get(resourceKey(resource)) ?? common.resyncPeriodMs;
    const informer = make({ ...wanted, resyncPeriodMs, name: prefix === undefined ? name : `${prefix} ${name}` });
    informers.set(key, informer);
    return informer;
  };

  const forResource = (resource: AnyResource, selection: InformerSelection = {}): InformerControl =>
    informerOf(resource, selection, '', (made) => createInformer(client, resource, { ...made, transform }));

  return {
    ...builtInInformers((resource) => forResource(resource)),
    forResource: forResource as SharedInformerFactory['forResource'],
    forMetadata: ((resource, selection = {}) =>
      informerOf(resource, selection, 'metadata', (made) =>
        createMetadataInformer(client, resource, made as object),
      )) as SharedInformerFactory['forMetadata'],
    informers: () => [...informers.values()],
    start: () => {
      for (const informer of informers.values()) if (!informer.isStopped()) informer.start();
    },
    waitForCacheSync: (waiting = {}) =>
      waitForCacheSync(
        [...informers.values()].filter((informer) => informer.health().state !== 'idle'),
        waiting,
      ),
    release: async (informer) => {
      for (const [key, known] of informers) {
        if (known !== informer) continue;
        informers.delete(key);
        await informer.stop();
      }
    },
    shutdown: async () => {
      isShutDown = true;
      await Promise.all([...informers.values()].map((informer) => informer.stop()));
    },
  };
}
