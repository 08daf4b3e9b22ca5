import { brand } from './brand.js';

/** One manager's record of the fields it owns, as the server keeps it in `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  readonly apiVersion?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: object;
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
}

/** A reference from a dependent object to its owner. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** The metadata that every Kubernetes object carries, as JSON: timestamps are strings. A field that is `undefined` is left out. */
export interface ObjectMeta {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | null | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
  readonly selfLink?: string | undefined;
}

/** The least that this library needs of an object: metadata. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** The metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A list of objects, as the server sends it. */
export interface KubernetesList<T> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ListMeta;
  readonly items: readonly T[];
}

/** An object of a kind that is not known at compile time. */
export interface UnstructuredObject extends KubernetesObject {
  readonly [field: string]: unknown;
}

/** The namespace in a key (`namespace/name`); `''` in that of a cluster-scoped object. */
export function namespaceOfKey(key: string): string {
  return key.slice(0, Math.max(key.indexOf('/'), 0));
}

const decimal = /^(?:0|[1-9]\d*)$/;

/**
 * Compares two resourceVersions of one resource as decimal numbers of any length. Returns a negative number when `a` is older, a positive
 * one when it is newer, and `0` when they are equal; undefined when one of them is not a decimal number.
 *
 * Versions of different resources, or of different clusters, must not be compared.
 *
 * @see https://github.com/kubernetes/enhancements/issues/5504 for when versions may be compared
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether a version is lower than another one; false for versions that are not numbers. */
export function isOlderVersion(one: string, other: string): boolean {
  // Fast path: two comparisons decide for nearly every event.
  if (one.length > other.length || (one.length === other.length && one >= other)) return false;
  return decimal.test(one) && decimal.test(other);
}

/** The resourceVersion of an object; undefined when it has none. */
export function resourceVersionOf(object: unknown): string | undefined {
  const version = (object as { metadata?: { resourceVersion?: unknown } | null } | null | undefined)?.metadata?.resourceVersion;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** The uid of an object; undefined when it has none. */
export function uidOf(object: unknown): string | undefined {
  const uid = (object as { metadata?: { uid?: unknown } | null } | null | undefined)?.metadata?.uid;
  return typeof uid === 'string' && uid !== '' ? uid : undefined;
}

/** The uid and version that identify an object as sent, before any transform. */
export interface Identity {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The identity in an object's metadata; empty strings for missing fields. */
export function objectIdentity(object: unknown): Identity {
  return { uid: uidOf(object) ?? '', resourceVersion: resourceVersionOf(object) ?? '' };
}

/** Whether `after` is another object than `before` under the same name: the uids are known and differ. */
export function isRecreated(before: Identity, after: Identity): boolean {
  return before.uid !== after.uid && before.uid !== '' && after.uid !== '';
}

/** `isRecreated` for two objects as they were sent. */
export function isOtherObject(before: unknown, after: unknown): boolean {
  return isRecreated(objectIdentity(before), objectIdentity(after));
}

/** Whether both are the same version of the same object, as far as their metadata says. */
export function isSameVersion(before: Identity, after: Identity): boolean {
  return before.resourceVersion !== '' && before.resourceVersion === after.resourceVersion && before.uid === after.uid;
}

/** The labels of an object as a server sends it. */
export function labelsInMetadata(object: unknown): Readonly<Record<string, string>> | undefined {
  // Servers that are not written in Go may send null.
  return (object as Partial<Pick<KubernetesObject, 'metadata'>> | null | undefined)?.metadata?.labels ?? undefined;
}

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
 * @example
 * ```ts
 * import { splitMetaNamespaceKey } from 'rx-informer/pipeline';
 *
 * const { namespace, name } = splitMetaNamespaceKey('default/web');
 * console.log(namespace, name); // default web
 * ```
 *
 * @throws TypeError when the key has more than one slash.
 *
 * @see SplitMetaNamespaceKey of client-go
 */
export function splitMetaNamespaceKey(key: string): { readonly namespace: string; readonly name: string } {
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
 * @example
 * ```ts
 * import { metaNamespaceKey } from 'rx-informer';
 *
 * console.log(metaNamespaceKey({ metadata: { namespace: 'default', name: 'web' } })); // default/web
 * ```
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
