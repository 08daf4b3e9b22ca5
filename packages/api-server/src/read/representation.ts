import { initialEventsEndAnnotation, type ListMeta } from 'rx-informer/internal';
import type { Conversion, ServedResource } from '../kinds/servedResource.js';
import { shownObjectOf, storedObjectOf, type StoredObject } from '../store/storedObject.js';

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
    body = (
      Number.isNaN(stored.resourceVersion) || stored.resourceVersion === 0
        ? shownObjectOf(content)
        : storedObjectOf(content, stored.resourceVersion)
    ).body;
    versions.set(conversion, body);
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

const plain = new WeakMap<ServedResource, Representation>();

/** Unchanged objects. Items of built-in kinds have no `kind` and `apiVersion`, as in typed lists. */
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
    // Lists of custom resources always have the field `continue`.
    listHead: (metadata) => listHead(listKind, groupVersion, resource.custom === undefined ? metadata : { continue: '', ...metadata }),
    listTail: ']}',
    bookmark: (resourceVersion, end) =>
      JSON.stringify({ kind, apiVersion: groupVersion, metadata: bookmarkMetadata(resourceVersion, end) }),
  };
}

const metadataKey = Buffer.from('"metadata":{');
const managedFieldsKey = Buffer.from(',"managedFields":[');
const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

/** The end of a string literal that begins at a quotation mark. */
function endOfText(body: Buffer, start: number): number {
  let at = start + 1;
  while (body[at] !== quote) at += body[at] === backslash ? 2 : 1;
  return at + 1;
}

/** The range of `metadata.managedFields` in the bytes, with the comma before it; undefined when there is none. */
function managedFieldsIn(body: Buffer): readonly [start: number, end: number] | undefined {
  if (body.compare(metadataKey, 0, metadataKey.length, 0, metadataKey.length) !== 0) return undefined;
  let start = -1;
  let depth = 1;
  for (let at = metadataKey.length; depth > 0; at += 1) {
    const byte = body[at] ?? 0x7d;
    // A comma before a field of the metadata itself: compare the following bytes.
    if (depth === 1 && byte === 0x2c && body.compare(managedFieldsKey, 0, managedFieldsKey.length, at, at + managedFieldsKey.length) === 0)
      start = at;
    if (byte === quote) at = endOfText(body, at) - 1;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    if (start >= 0 && at > start + managedFieldsKey.length && depth === 1 && byte === 0x5d) return [start, at + 1];
  }
  return undefined;
}

/** Removes `metadata.managedFields` from a serialized object, without parsing the rest. */
function withoutManagedFields(parts: readonly Buffer[]): readonly Buffer[] {
  const body = parts.at(-1);
  const place = body && managedFieldsIn(body);
  return body === undefined || place === undefined ? parts : [...parts.slice(0, -1), body.subarray(0, place[0]), body.subarray(place[1])];
}

const dropping = new WeakMap<ServedResource, Representation>();

/** Objects without `metadata.managedFields`. */
export function droppingRepresentation(resource: ServedResource): Representation {
  let representation = dropping.get(resource);
  if (representation === undefined) {
    const whole = plainRepresentation(resource);
    representation = {
      ...whole,
      object: (stored) => withoutManagedFields(whole.object(stored)),
      item: (stored) => withoutManagedFields(whole.item(stored)),
    };
    dropping.set(resource, representation);
  }
  return representation;
}

/** Objects reduced to their metadata. */
export function metadataRepresentation(version: string, drop = false): Representation {
  const kind = 'PartialObjectMetadata';
  const apiVersion = `meta.k8s.io/${version}`;
  const object = ({ content: { metadata } }: StoredObject): readonly Buffer[] => [
    Buffer.from(JSON.stringify({ kind, apiVersion, metadata: drop ? { ...metadata, managedFields: undefined } : metadata })),
  ];
  return {
    object,
    item: object,
    listHead: (metadata) => listHead(`${kind}List`, apiVersion, metadata),
    listTail: ']}',
    bookmark: (resourceVersion, end) => JSON.stringify({ kind, apiVersion, metadata: bookmarkMetadata(resourceVersion, end) }),
  };
}
