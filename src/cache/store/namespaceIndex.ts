/**
 * The name under which informers and listers look for the index by namespace.
 *
 * @see NamespaceIndex of client-go
 */
export const namespaceIndex = 'namespace';

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
