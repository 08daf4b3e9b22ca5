/** The namespace in a key (`namespace/name`); `''` in that of a cluster-scoped object. */
export function namespaceOfKey(key: string): string {
  return key.slice(0, Math.max(key.indexOf('/'), 0));
}
