import type { Observable } from 'rxjs';
import type { KubernetesObject, Resource, ResourceChange, ResourceEvent } from 'rx-informer';
import { expectArgument, rules } from 'rx-informer/internal';
import { mappedKeys } from '../reconcile/mappedKeys.js';
import type { SourceCollection } from '../reconcile/reconcileConfig.js';
import { keysOfOwners, type OwnerKeysOptions } from './ownerKeys.js';
import { parentPrefix } from './ownerReferences.js';

/** The part of an informer or view that `owns` and `mapsTo` use. */
export interface MappedCollection<T> extends Pick<SourceCollection, 'whenSynced'> {
  readonly resource$: Observable<ResourceEvent<T> | ResourceChange<T>>;
}

/** Options of `owns`. */
export interface OwnsOptions extends OwnerKeysOptions {
  /** The `name` of the option `across` of `children`: children outside of the owner's namespace trigger it, too. @defaultValue none */
  readonly across?: string | undefined;
}

/**
 * A source of `reconcile`: the dependents of the reconciled kind, whose events trigger their owner. Their sync is awaited.
 *
 * @param owner - The resource that is reconciled.
 * @param dependents - An informer or a view of what it owns.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { owns, reconcile } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const { replicasets } = resources.apps.v1;
 * const sets = createInformer(client, replicasets);
 * const pods = createInformer(client, resources.core.v1.pods);
 * reconcile({ sources: { sets, pods: owns(replicasets, pods) }, reconcile: async ({ key }) => console.log(key) }).subscribe();
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see controller-runtime's `Builder.Owns`
 */
export function owns<T extends KubernetesObject>(
  owner: Pick<Resource<unknown>, 'group' | 'version' | 'kind' | 'namespaced'>,
  dependents: MappedCollection<T>,
  options: OwnsOptions = {},
): SourceCollection {
  const { across, ...ownerOptions } = options;
  expectArgument('owns', 'dependents', dependents, rules.withMethods('whenSynced'));
  if (across !== undefined) expectArgument('owns', 'across', across, rules.nonEmptyString);
  const near = keysOfOwners(owner, ownerOptions);
  const prefix = parentPrefix(owner);
  const keysOf = (object: T): readonly string[] => {
    const far = across === undefined ? undefined : object.metadata?.annotations?.[across];
    return far?.startsWith(prefix) === true ? [...near(object), far.slice(prefix.length)] : near(object);
  };
  return mapsTo(dependents, keysOf);
}

/**
 * A source of `reconcile`: objects of another kind, whose events trigger the keys that depend on them. Their sync is awaited.
 *
 * @param collection - An informer or a view.
 * @param keysOf - The keys (`namespace/name`, or `name`) that depend on an object.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { mapsTo, reconcile } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const pods = createInformer(client, resources.core.v1.pods);
 * const nodes = createInformer(client, resources.core.v1.nodes);
 * const byNode = mapsTo(nodes, ({ metadata }) =>
 *   pods.lister.list().flatMap((pod) => (pod.spec?.nodeName === metadata?.name ? [`${pod.metadata?.namespace}/${pod.metadata?.name}`] : [])),
 * );
 * reconcile({ sources: { pods, nodes: byNode }, reconcile: async ({ key }) => console.log(key) }).subscribe();
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see controller-runtime's `Builder.Watches` with `handler.EnqueueRequestsFromMapFunc`
 */
export function mapsTo<T>(collection: MappedCollection<T>, keysOf: (object: T) => Iterable<string>): SourceCollection {
  expectArgument('mapsTo', 'collection', collection, rules.withMethods('whenSynced'));
  return {
    resource$: collection.resource$.pipe(mappedKeys(keysOf)),
    whenSynced: (options) => collection.whenSynced(options),
  };
}
