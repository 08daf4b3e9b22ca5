import type { ListMeta } from '../../api/kubernetesObject.js';
import { initialEventsEndAnnotation } from '../../api/events/watchEvent.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { storedObjectOf, type StoredObject } from '../store/storedObject.js';

/** The metadata of a list; `shardInfo` where a `shardSelector` has selected (KEP-5866). */
export interface ListHeadMeta extends ListMeta {
  readonly shardInfo?: { readonly selector: string };
}

/**
 * How objects of one resource are written into an answer.
 */
export interface Representation {
  /** The object on its own, and inside a watch event. */
  object(stored: StoredObject): readonly Buffer[];
  /** The object inside a list. */
  item(stored: StoredObject): readonly Buffer[];
  /** A list up to its first item. */
  listHead(metadata: ListHeadMeta): string;
  /** A list after its last item. */
  readonly listTail: string;
  /** The object of a BOOKMARK. */
  bookmark(resourceVersion: number, initialEventsEnd: boolean): string;
}

const converted = new WeakMap<StoredObject, Map<string, Buffer>>();

/** The JSON of an object without its opening brace, `kind` and `apiVersion`, in the version of a resource. */
export function bodyOf({ conversion, bucketId, groupVersion }: ServedResource, stored: StoredObject): Buffer {
  if (conversion === undefined) return stored.body;
  const versions = converted.get(stored) ?? new Map<string, Buffer>();
  converted.set(stored, versions);
  const id = `${bucketId} ${groupVersion}`;
  let body = versions.get(id);
  if (body === undefined) {
    body = storedObjectOf(conversion.fromStored(stored.content), stored.resourceVersion).body;
    versions.set(id, body);
  }
  return body;
}

/** The metadata of a BOOKMARK's object. */
export function bookmarkMetadata(resourceVersion: number, initialEventsEnd: boolean): object {
  const annotations = { [initialEventsEndAnnotation]: 'true' };
  return { resourceVersion: String(resourceVersion), ...(initialEventsEnd && { annotations }) };
}

/** A list up to its first item. */
export function listHead(kind: string, apiVersion: string, metadata: ListHeadMeta): string {
  const { resourceVersion, continue: token, remainingItemCount, shardInfo } = metadata;
  const ordered = { resourceVersion, continue: token, remainingItemCount, shardInfo };
  return `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(ordered)},"items":[`;
}

const openingBrace = Buffer.from('{');

const plain = new WeakMap<ServedResource, Representation>();

/** Objects as they are. Items of built-in kinds leave their kind out, as typed lists do. */
export function plainRepresentation(resource: ServedResource): Representation {
  let representation = plain.get(resource);
  if (representation === undefined) {
    representation = representationOf(resource);
    plain.set(resource, representation);
  }
  return representation;
}

function representationOf(resource: ServedResource): Representation {
  const { kind, groupVersion, listKind, custom } = resource;
  const prefix = Buffer.from(`{"kind":"${kind}","apiVersion":"${groupVersion}",`);
  const itemPrefix = custom === undefined ? openingBrace : prefix;
  return {
    object: (stored) => [prefix, bodyOf(resource, stored)],
    item: (stored) => [itemPrefix, bodyOf(resource, stored)],
    listHead: (metadata) => listHead(listKind, groupVersion, metadata),
    listTail: ']}',
    bookmark: (resourceVersion, end) =>
      JSON.stringify({ kind, apiVersion: groupVersion, metadata: bookmarkMetadata(resourceVersion, end) }),
  };
}

/** Objects reduced to their metadata. */
export function metadataRepresentation(version: string): Representation {
  const kind = 'PartialObjectMetadata';
  const apiVersion = `meta.k8s.io/${version}`;
  const object = ({ content }: StoredObject): readonly Buffer[] => [
    Buffer.from(JSON.stringify({ kind, apiVersion, metadata: content.metadata })),
  ];
  return {
    object,
    item: object,
    listHead: (metadata) => listHead(`${kind}List`, apiVersion, metadata),
    listTail: ']}',
    bookmark: (resourceVersion, end) => JSON.stringify({ kind, apiVersion, metadata: bookmarkMetadata(resourceVersion, end) }),
  };
}
