import { initialEventsEndAnnotation, type ListMeta } from 'rx-informer/internal';
import type { Conversion, ServedResource } from '../kinds/servedResource.js';
import { shownObjectOf, storedObjectOf, type StoredObject } from '../store/storedObject.js';
import { droppedOf, metadataOf } from './metadataBytes.js';

/** The metadata of a list; `shardInfo` if a `shardSelector` was applied (KEP-5866). */
export interface ListHeadMeta extends ListMeta {
  readonly shardInfo?: { readonly selector: string };
}

/** How objects of one resource are serialized into an answer. */
export interface Representation {
  /** The object on its own, and inside a watch event. */
  object(stored: StoredObject): readonly Buffer[];
  /** The object inside a list. */
  item(stored: StoredObject): readonly Buffer[];
  /** The text of a list before its first item. */
  listHead(metadata: ListHeadMeta): string;
  /** The text of a list after its last item. */
  readonly listTail: string;
  /** The object of a BOOKMARK. */
  bookmark(resourceVersion: number, initialEventsEnd: boolean): string;
}

/** Cached by the conversion as well: a changed definition has a new conversion, with other defaults. */
const converted = new WeakMap<StoredObject, WeakMap<Conversion, Buffer>>();

/** The JSON of an object without its opening brace, `kind` and `apiVersion`, in the version of a resource. */
export function bodyOf({ conversion }: ServedResource, stored: StoredObject): Buffer {
  if (conversion === undefined) return stored.body;
  const versions = converted.get(stored) ?? new WeakMap<Conversion, Buffer>();
  converted.set(stored, versions);
  let body = versions.get(conversion);
  if (body === undefined) {
    const content = conversion.fromStored(stored.content);
    // The object of a dry run has no version.
    const { resourceVersion } = stored;
    body = (resourceVersion > 0 ? storedObjectOf(content, resourceVersion) : shownObjectOf(content)).body;
    if (conversion.varies !== true) versions.set(conversion, body);
  }
  return body;
}

/** The metadata of a BOOKMARK's object. */
export function bookmarkMetadata(resourceVersion: number, initialEventsEnd: boolean): object {
  const annotations = { [initialEventsEndAnnotation]: 'true' };
  return { resourceVersion: String(resourceVersion), ...(initialEventsEnd && { annotations }) };
}

/** The text of a list before its first item. */
export function listHead(kind: string, apiVersion: string, metadata: ListHeadMeta): string {
  const { resourceVersion, continue: token, remainingItemCount, shardInfo } = metadata;
  const ordered = { resourceVersion, continue: token, remainingItemCount, shardInfo };
  return `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(ordered)},"items":[`;
}

const openingBrace = Buffer.from('{');

/** The representations of resources: with `metadata.managedFields`, and without. */
const made = [new WeakMap<ServedResource, Representation>(), new WeakMap<ServedResource, Representation>()] as const;

/** Unchanged objects, or those without `metadata.managedFields`. Items of built-in kinds have no `kind` and `apiVersion`, as in typed lists. */
export function plainRepresentation(resource: ServedResource, drop = false): Representation {
  const known = made[drop ? 1 : 0];
  let representation = known.get(resource);
  if (representation === undefined) {
    representation = representationOf(resource, drop);
    known.set(resource, representation);
  }
  return representation;
}

function representationOf(resource: ServedResource, drop: boolean): Representation {
  const { kind, groupVersion, listKind, custom } = resource;
  const prefix = Buffer.from(`{"kind":"${kind}","apiVersion":"${groupVersion}",`);
  const itemPrefix = custom === undefined ? openingBrace : prefix;
  const fieldsOf = (stored: StoredObject): readonly Buffer[] => {
    const body = bodyOf(resource, stored);
    return drop ? droppedOf(body) : [body];
  };
  return {
    object: (stored) => [prefix, ...fieldsOf(stored)],
    item: (stored) => [itemPrefix, ...fieldsOf(stored)],
    // Lists of custom resources always have the field `continue`.
    listHead: (metadata) => listHead(listKind, groupVersion, resource.custom === undefined ? metadata : { continue: '', ...metadata }),
    listTail: ']}',
    bookmark: (resourceVersion, end) =>
      JSON.stringify({ kind, apiVersion: groupVersion, metadata: bookmarkMetadata(resourceVersion, end) }),
  };
}

const closingBrace = Buffer.from('}');

/** Objects reduced to their metadata. */
export function metadataRepresentation(resource: ServedResource, version: string, drop = false): Representation {
  const kind = 'PartialObjectMetadata';
  const apiVersion = `meta.k8s.io/${version}`;
  const prefix = Buffer.from(`{"kind":"${kind}","apiVersion":"${apiVersion}",`);
  const object = (stored: StoredObject): readonly Buffer[] => [prefix, ...metadataOf(bodyOf(resource, stored), drop), closingBrace];
  return {
    object,
    item: object,
    listHead: (metadata) => listHead(`${kind}List`, apiVersion, metadata),
    listTail: ']}',
    bookmark: (resourceVersion, end) => JSON.stringify({ kind, apiVersion, metadata: bookmarkMetadata(resourceVersion, end) }),
  };
}
