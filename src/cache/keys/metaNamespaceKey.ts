import { DeletedFinalStateUnknown } from './deletedFinalStateUnknown.js';
import { ExplicitKey } from './explicitKey.js';
import { keyOfObjectName } from './objectName.js';
import { type NamedObject, objectNameOf } from './objectNameOf.js';

/**
 * The key under which an object is cached: `namespace/name`, or `name` alone for a cluster-scoped object. The uid has no part in it: an
 * object that was deleted and created again under its name has the same key.
 *
 * An explicit key and a tombstone yield the key that they carry, as it is.
 *
 * @throws TypeError when the object has no metadata with a name.
 *
 * @see MetaNamespaceKeyFunc and DeletionHandlingMetaNamespaceKeyFunc of client-go
 */
export function metaNamespaceKey(object: NamedObject | ExplicitKey | DeletedFinalStateUnknown<unknown>): string {
  // Most objects, and without a look at anything else: this runs for every event.
  const metadata = (object as { readonly metadata?: { readonly namespace?: unknown; readonly name?: unknown } | null } | null)?.metadata;
  if (typeof metadata?.name === 'string' && metadata.name !== '') {
    if (typeof metadata.namespace === 'string' && metadata.namespace !== '') return `${metadata.namespace}/${metadata.name}`;
    if ((metadata.namespace ?? '') === '') return metadata.name;
  }
  if (object instanceof ExplicitKey || object instanceof DeletedFinalStateUnknown) return object.key;
  return keyOfObjectName(objectNameOf(object));
}
