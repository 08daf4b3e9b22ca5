import { isJsonArray, isJsonObject, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { FieldSet } from './fieldSet.js';

const unowned = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** Fields that belong to the server, or are needed to say which object is meant: nobody owns them. */
const serverFields = FieldSet.parse({
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': { '.': {}, ...Object.fromEntries(unowned.map((name) => [`f:${name}`, {}])) },
});

/** The set without what lies at these places and below. */
function withoutChildren(fields: FieldSet, places: readonly string[]): FieldSet {
  return places.reduce((left, place) => {
    const [first = '', second] = place.split('/');
    const children = new Map(left.children);
    if (second === undefined) children.delete(first);
    else children.set(first, withoutChildren(left.child(first), [second]));
    return FieldSet.of(left.member, children);
  }, fields);
}

/** What of a set of fields can be owned by a write to the object itself, or to its subresource. */
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

// Go has these as values, not as pointers, and that list it never leaves out: they are there in an empty object too.
const listAlwaysThere = 'containers';
const alwaysThere = new Set([
  'metadata',
  'spec',
  'status',
  'template',
  'jobTemplate',
  'strategy',
  'updateStrategy',
  'resources',
  'loadBalancer',
  'nodeInfo',
]);

function withParts(before: JsonObject, after: JsonObject): JsonObject {
  let result = before;
  for (const name of Object.keys(after)) {
    const [known, value] = [before[name], after[name]];
    if (name === listAlwaysThere && known === undefined && isJsonArray(value)) result = { ...result, [name]: [] };
    if (!alwaysThere.has(name) || !isJsonObject(value) || (known !== undefined && !isJsonObject(known))) continue;
    const part = withParts(known ?? {}, value);
    if (part !== known) result = { ...result, [name]: part };
  }
  return result;
}

/** What a changed object is compared with: the object before, completed by the empty parts that its kind always has. */
export function comparable(resource: ServedResource, before: JsonObject | undefined, after: JsonObject): JsonObject {
  if (resource.custom !== undefined) return before ?? { metadata: {} };
  return withParts(before ?? {}, after);
}

/** The document without `metadata.managedFields`. */
export function unmanaged(document: JsonObject): JsonObject {
  const { metadata } = document;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return document;
  const { managedFields: _, ...rest } = metadata;
  return { ...document, metadata: rest };
}
