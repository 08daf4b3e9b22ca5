import { brand } from '../api/brand.js';
import { namespaceOfKey } from '../api/kubernetesObject.js';

/**
 * A key in place of an object, for operations that take an object when only its key is known.
 *
 * @example
 * ```ts
 * import { createIndexer, ExplicitKey } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer();
 * indexer.get(new ExplicitKey('default/web'));
 * ```
 *
 * @see ExplicitKey of client-go
 */
export class ExplicitKey {
  readonly key: string;

  constructor(key: string) {
    if (typeof key !== 'string') throw new TypeError(`Expected \`key\` to be a string, got ${typeof key}`);
    this.key = key;
  }
}

brand(ExplicitKey, 'ExplicitKey');

/**
 * In place of an object whose deletion was missed: its key, and its last known state if there is one.
 *
 * @see DeletedFinalStateUnknown of client-go
 */
export class DeletedFinalStateUnknown<T> {
  readonly key: string;
  readonly object: T | undefined;

  constructor(key: string, object?: T) {
    if (typeof key !== 'string') throw new TypeError(`Expected \`key\` to be a string, got ${typeof key}`);
    this.key = key;
    this.object = object;
  }

  /** The part of the key before its first slash; `''` when there is none. */
  get namespace(): string {
    return namespaceOfKey(this.key);
  }

  /** The part of the key after its first slash. Unlike `splitMetaNamespaceKey`, it accepts any key. */
  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }
}

brand(DeletedFinalStateUnknown, 'DeletedFinalStateUnknown');

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

/**
 * The namespace and name of an object within its resource: `namespace` is `''` for a cluster-scoped one.
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

/** The metadata that name an object. Objects of client-node's models fit as well. */
export interface NamedObject {
  readonly metadata?: { readonly namespace?: string | undefined; readonly name?: string | undefined };
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
  // Checked in spite of the types: callers pass objects of unknown origin.
  const metadata = (object as { metadata?: { namespace?: unknown; name?: unknown } | null } | null | undefined)?.metadata;
  if (typeof metadata !== 'object' || metadata === null) throw new TypeError('The object has no metadata');
  const { namespace, name } = metadata;
  if (typeof name !== 'string' || name === '') throw new TypeError('The object has no metadata.name');
  if (namespace === undefined || namespace === null) return { namespace: '', name };
  if (typeof namespace !== 'string') throw new TypeError(`Expected metadata.namespace to be a string, got ${typeof namespace}`);
  return { namespace, name };
}

/**
 * The key under which an object is cached: `namespace/name`, or `name` alone for a cluster-scoped object. The uid is not part of it: an
 * object deleted and created again under its name has the same key.
 *
 * For an explicit key or a tombstone, returns the key in it unchanged.
 *
 * @throws TypeError when the object has no metadata with a name.
 *
 * @see MetaNamespaceKeyFunc and DeletionHandlingMetaNamespaceKeyFunc of client-go
 */
export function metaNamespaceKey(object: NamedObject | ExplicitKey | DeletedFinalStateUnknown<unknown>): string {
  // Fast path for valid objects: this runs for every event.
  const metadata = (object as { readonly metadata?: { readonly namespace?: unknown; readonly name?: unknown } | null } | null)?.metadata;
  if (typeof metadata?.name === 'string' && metadata.name !== '') {
    if (typeof metadata.namespace === 'string' && metadata.namespace !== '') return `${metadata.namespace}/${metadata.name}`;
    if ((metadata.namespace ?? '') === '') return metadata.name;
  }
  if (object instanceof ExplicitKey || object instanceof DeletedFinalStateUnknown) return object.key;
  return keyOfObjectName(objectNameOf(object));
}
