import { DeletedFinalStateUnknown } from './deletedFinalStateUnknown.js';
import { ExplicitKey } from './explicitKey.js';
import type { ObjectName } from './objectName.js';
import { splitMetaNamespaceKey } from './splitMetaNamespaceKey.js';

/** The part of an object that has its name. Objects of client-node's models fit as well. */
export interface NamedObject {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/**
 * The namespace and name of an object, of an explicit key or of a tombstone.
 *
 * @throws TypeError when the object has no metadata with a name, or when a key has more than one slash.
 *
 * @see DeletionHandlingObjectToName of client-go
 */
export function objectNameOf(object: NamedObject | ExplicitKey | DeletedFinalStateUnknown<unknown>): ObjectName {
  if (object instanceof ExplicitKey || object instanceof DeletedFinalStateUnknown) return splitMetaNamespaceKey(object.key);
  // Whatever the types say: this is where objects of unknown origin come in.
  const metadata = (object as { metadata?: { namespace?: unknown; name?: unknown } | null } | null | undefined)?.metadata;
  if (typeof metadata !== 'object' || metadata === null) throw new TypeError('The object has no metadata');
  const { namespace, name } = metadata;
  if (typeof name !== 'string' || name === '') throw new TypeError('The object has no metadata.name');
  if (namespace === undefined || namespace === null) return { namespace: '', name };
  if (typeof namespace !== 'string') throw new TypeError(`Expected metadata.namespace to be a string, got ${typeof namespace}`);
  return { namespace, name };
}
