import { namespaceOfKey } from '../../api/kubernetesObject.js';
import { expectArgument, rules } from '../../api/options.js';

/**
 * The name of the index by namespace that informers and listers use.
 *
 * @see NamespaceIndex of client-go
 */
export const namespaceIndex = 'namespace';

/** Indexes an object by the namespace in its key: the entry never depends on the object's content. @internal */
export const keyNamespaceIndexFunc = (_: unknown, key: string): readonly string[] => [namespaceOfKey(key)];

/**
 * Indexes an object by its namespace; a cluster-scoped one under `''`.
 *
 * @example
 * ```ts
 * import type { V1Pod } from 'rx-informer';
 * import { createIndexer, metaNamespaceIndexFunc, namespaceIndex } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer<V1Pod>({ indexers: { [namespaceIndex]: metaNamespaceIndexFunc } });
 * indexer.add({ metadata: { namespace: 'default', name: 'web' } });
 * console.log(indexer.indexKeys(namespaceIndex, 'default')); // [ 'default/web' ]
 * ```
 *
 * @throws TypeError for an object without metadata, which then gets no entry.
 *
 * @see MetaNamespaceIndexFunc of client-go
 */
export function metaNamespaceIndexFunc(object: { readonly metadata?: { readonly namespace?: string | undefined } }): readonly string[] {
  if (object.metadata === undefined) throw new TypeError('The object has no metadata');
  return [object.metadata.namespace ?? ''];
}

/**
 * Makes an index function for the value of one label. Objects without that label get no entry.
 *
 * @example
 * ```ts
 * import { labelIndexFunc, createIndexer } from 'rx-informer/pipeline';
 * import type { KubernetesObject } from 'rx-informer';
 *
 * const pods = createIndexer<KubernetesObject>({ indexers: { app: labelIndexFunc('app.kubernetes.io/name') } });
 * pods.byIndex('app', 'web');
 * ```
 */
export function labelIndexFunc(
  label: string,
): (object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> | undefined } }) => readonly string[] {
  expectArgument('labelIndexFunc', 'label', label, rules.nonEmptyString);
  return ({ metadata }) => {
    const labels = metadata?.labels;
    const value = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
    return value === undefined ? [] : [value];
  };
}

/**
 * Indexes an object by the uids of all its owners, to find the dependents of an owner.
 *
 * @example
 * ```ts
 * import { ownerUidIndexFunc, createIndexer } from 'rx-informer/pipeline';
 * import type { KubernetesObject } from 'rx-informer';
 *
 * const pods = createIndexer<KubernetesObject>({ indexers: { owner: ownerUidIndexFunc } });
 * pods.byIndex('owner', '5bf0a2c6-0d5b-4a0e-8d36-8a3b8f9d2c11');
 * ```
 */
export function ownerUidIndexFunc(object: {
  readonly metadata?: { readonly ownerReferences?: readonly { readonly uid: string }[] | undefined };
}): readonly string[] {
  return object.metadata?.ownerReferences?.map((owner) => owner.uid) ?? [];
}
