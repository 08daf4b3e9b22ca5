import type { JsonObject } from '../json.js';

/** An owner reference as it is stored. */
export interface StoredOwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The metadata of a stored object. */
export interface StoredMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly StoredOwnerReference[];
}

/** An object as it is stored: without `kind` and `apiVersion`, which depend on the version it is served in. */
export interface StoredContent extends JsonObject {
  readonly metadata: StoredMeta;
}

/**
 * One version of one object. Never changed: everything that reads it may keep it.
 */
export interface StoredObject {
  /** `namespace/name`, or the name alone of a cluster-scoped object: the order of lists. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: number;
  readonly content: StoredContent;
  /** The JSON of `content` without its opening brace, so that `kind` and `apiVersion` can be put before it. Serialized once. */
  readonly body: Buffer;
}

/** The key of an object. */
export function storageKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** An object as an answer shows it that was not stored like this: its resourceVersion is the one in its metadata, or none. */
export function shownObjectOf(content: StoredContent): StoredObject {
  const { namespace = '', name, resourceVersion } = content.metadata;
  const shown = resourceVersion === '' ? { ...content, metadata: { ...content.metadata, resourceVersion: undefined } } : content;
  return {
    key: storageKey(namespace, name),
    namespace,
    name,
    resourceVersion: Number(resourceVersion),
    content,
    body: Buffer.from(JSON.stringify(shown).slice(1)),
  };
}

/** The version of an object that a write makes. */
export function storedObjectOf(content: StoredContent, resourceVersion: number): StoredObject {
  const { namespace = '', name } = content.metadata;
  const versioned = { ...content, metadata: { ...content.metadata, resourceVersion: String(resourceVersion) } };
  return {
    key: storageKey(namespace, name),
    namespace,
    name,
    resourceVersion,
    content: versioned,
    body: Buffer.from(JSON.stringify(versioned).slice(1)),
  };
}
