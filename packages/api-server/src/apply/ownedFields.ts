import { isJsonObject, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { zeroOf } from '../schema/builtIn/defaultTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { FieldSet } from './fieldSet.js';

const unowned = ['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'generation', 'managedFields', 'resourceVersion'];

/** Fields without an owner: the server sets them, or they identify the object. */
const serverFields = FieldSet.parse({
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': { '.': {}, ...Object.fromEntries(unowned.map((name) => [`f:${name}`, {}])) },
});

/** The set without these paths and everything below them. */
function withoutChildren(fields: FieldSet, places: readonly string[]): FieldSet {
  return places.reduce((left, place) => {
    const [first = '', second] = place.split('/');
    const children = new Map(left.children);
    if (second === undefined) children.delete(first);
    else children.set(first, withoutChildren(left.child(first), [second]));
    return FieldSet.of(left.member, children);
  }, fields);
}

/** The fields that a write to the object, or to its subresource, may own. */
export function ownable(fields: FieldSet, resource: ServedResource, subresource: string): FieldSet {
  if (fields.isEmpty) return fields;
  const status = fields.child('f:status');
  const onlyStatus = FieldSet.of(false, [['f:status', status]]);
  if (subresource === 'status' && resource.custom !== undefined) return onlyStatus;
  if (subresource === 'status') {
    const kept = resource.bucketId === 'apps/deployments' ? ['f:spec', 'f:metadata/f:labels'] : ['f:spec'];
    return withoutChildren(fields, kept).difference(serverFields);
  }
  const written = resource.subresources.has('status') ? fields.difference(onlyStatus) : fields;
  return written.difference(serverFields);
}

/** The object that a new object is compared with: an empty one of its kind, with the fields that Go always serializes. */
export function emptyOf(resource: ServedResource): JsonObject {
  const type = typeOf(resource);
  return { metadata: {}, ...(type !== undefined && zeroOf(type)) };
}

/** The document without `metadata.managedFields`. */
export function unmanaged(document: JsonObject): JsonObject {
  const { metadata } = document;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return document;
  const { managedFields: _, ...rest } = metadata;
  return { ...document, metadata: rest };
}
