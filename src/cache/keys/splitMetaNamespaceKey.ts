import type { ObjectName } from './objectName.js';

/**
 * The namespace and name in a key made by `metaNamespaceKey`.
 *
 * @throws TypeError when the key has more than one slash.
 *
 * @see SplitMetaNamespaceKey of client-go
 */
export function splitMetaNamespaceKey(key: string): ObjectName {
  const slash = key.indexOf('/');
  if (slash === -1) return { namespace: '', name: key };
  if (key.includes('/', slash + 1)) throw new TypeError(`Expected \`key\` to be "name" or "namespace/name", got ${JSON.stringify(key)}`);
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
