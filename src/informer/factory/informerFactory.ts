import '../../api/disposable.js';
import type { Observable } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { SelectionOptions } from '../../client/kubeClient.js';
import type { Resource } from '../../api/resource.js';
import type { resources } from '../../api/resources.js';
import type { InformerControl } from '../session/informerControl.js';
import type { ResourceInformerOptions } from '../informerOptions.js';
import type { PartialObjectMetadata } from '../partialObjectMetadata.js';
import type { SharedInformer } from '../sharedInformer.js';
import type { CacheSyncResult } from '../waiting/waitForCacheSync.js';
import type { WaitOptions } from '../waiting/waitOptions.js';

/** Which objects of a resource an informer is about. */
export interface InformerSelection extends Pick<SelectionOptions, 'labelSelector' | 'fieldSelector'> {
  /** One namespace, several, or an Observable of several; the factory's by default, `''` for all. */
  // eslint-disable-next-line rxjs-x/finnish -- a text, a list or an Observable
  readonly namespace?: string | readonly string[] | Observable<readonly string[]> | undefined;
}

/** Options of `createInformerFactory`: what all its informers have in common. */
export interface InformerFactoryOptions extends Omit<
  ResourceInformerOptions<KubernetesObject>,
  'indexers' | 'initialObjects' | 'metadataOnly' | 'transform'
> {
  /** Makes the cached value of every object; it must leave what the types promise. */
  readonly transform?: (<T extends KubernetesObject>(object: T) => T) | undefined;
  /** The resync periods of single kinds, where they differ from `resyncPeriodMs`. */
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
 * A set of informers over one client: one for each resource and selection, made when it is first read.
 *
 * @see client-go: `SharedInformerFactory`, `DynamicSharedInformerFactory` and `metadatainformer`
 */
export interface SharedInformerFactory extends BuiltInInformers {
  /**
   * The informer of a resource, of any kind. The same selection yields the same informer, until that is stopped: then the next call makes
   * another.
   *
   * @throws TypeError when the resource or the selection is wrong; InformerError `ERR_STOPPED` after `shutdown`, for one not made before.
   */
  forResource<T extends KubernetesObject>(resource: Resource<T, 'list' | 'watch'>, selection?: InformerSelection): SharedInformer<T>;
  /** The informer of the metadata alone of a resource's objects; the factory's `transform` is not applied. */
  forMetadata(resource: Resource<KubernetesObject, 'list' | 'watch'>, selection?: InformerSelection): SharedInformer<PartialObjectMetadata>;
  /** Every informer that has been made and not been released. */
  informers(): readonly InformerControl[];
  /** Starts every informer made so far that does not run yet. Call it again for those made later. */
  start(): void;
  /** Waits for those informers that have been started; with none of them, there is nothing to wait for. */
  waitForCacheSync(options?: WaitOptions): Promise<CacheSyncResult>;
  /**
   * Stops one informer and removes it, by the rules of its `stop`; the next call for its selection makes another. Does nothing with an informer of somebody
   * else.
   */
  release(informer: InformerControl): Promise<void>;
  /** Stops all informers for good. A call of a handler that still runs is not waited for, so a handler may wait for it; `stopped` waits. */
  shutdown(): Promise<void>;
  /** Resolves when the factory has been shut down and no callback of its informers runs any more. */
  readonly stopped: Promise<void>;
  /** `shutdown` and `stopped`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
