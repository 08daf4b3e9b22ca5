const noOwners: readonly string[] = [];

/**
 * Files an object under the uids of all its owners, so that an owner finds its dependents.
 *
 * @example
 * ```ts
 * import { ownerUidIndexFunc, type KubernetesObject } from 'rx-informer';
 * import { createIndexer } from 'rx-informer/pipeline';
 *
 * const pods = createIndexer<KubernetesObject>({ indexers: { owner: ownerUidIndexFunc } });
 * pods.byIndex('owner', '5bf0a2c6-0d5b-4a0e-8d36-8a3b8f9d2c11');
 * ```
 */
export function ownerUidIndexFunc(object: {
  readonly metadata?: { readonly ownerReferences?: readonly { readonly uid: string }[] };
}): readonly string[] {
  const owners = object.metadata?.ownerReferences;
  return owners === undefined || owners.length === 0 ? noOwners : owners.map((owner) => owner.uid);
}
