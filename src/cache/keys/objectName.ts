/**
 * Where an object is found within its resource: `namespace` is `''` for a cluster-scoped one.
 *
 * @see ObjectName of client-go
 */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** The key of a name: `namespace/name`, or `name` alone for a cluster-scoped object. The inverse of `splitMetaNamespaceKey`. */
export function keyOfObjectName({ namespace, name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
