import { namespaceOfKey } from '../../api/kubernetesObject.js';

/**
 * The name under which informers and listers look for the index by namespace.
 *
 * @see NamespaceIndex of client-go
 */
export const namespaceIndex = 'namespace';

/** Files an object under the namespace in its key: whatever becomes of the object, its entry stays. @internal */
export const keyNamespaceIndexFunc = (_: unknown, key: string): readonly string[] => [namespaceOfKey(key)];

/**
 * Files an object under its namespace; a cluster-scoped one under `''`.
 *
 * @throws TypeError for an object without metadata, which is nowhere.
 *
 * @see MetaNamespaceIndexFunc of client-go
 */
export function metaNamespaceIndexFunc(object: { readonly metadata?: { readonly namespace?: string } }): readonly string[] {
  if (object.metadata === undefined) throw new TypeError('The object has no metadata');
  return [object.metadata.namespace ?? ''];
}

/**
 * Makes an index function that files objects under their value of one label, and those without that label nowhere.
 *
 * @example
 * ```ts
 * import { labelIndexFunc, type KubernetesObject } from 'rx-informer';
 * import { createIndexer } from 'rx-informer/pipeline';
 *
 * const pods = createIndexer<KubernetesObject>({ indexers: { app: labelIndexFunc('app.kubernetes.io/name') } });
 * pods.byIndex('app', 'web');
 * ```
 */
export function labelIndexFunc(
  label: string,
): (object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } }) => readonly string[] {
  if (typeof label !== 'string' || label === '')
    throw new TypeError(`Expected \`label\` to be the name of a label, got ${JSON.stringify(label)}`);
  return ({ metadata }) => {
    const labels = metadata?.labels;
    const value = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
    return value === undefined ? [] : [value];
  };
}

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
