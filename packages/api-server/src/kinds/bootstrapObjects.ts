import { createHash } from 'node:crypto';
import { withGatheredRules } from '../controllers/roleAggregation.js';
import { asJsonObject, type JsonObject } from '../json.js';
import { unpack } from '../schema/builtIn/unpack.js';
import type { StoredContent, StoredMeta } from '../store/storedObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import { packedBootstrap } from './packedBootstrap.js';

/** The resources with objects that exist from the start, in addition to namespaces. */
const seeded = /^(rbac\.authorization|scheduling|flowcontrol\.apiserver|networking)\.k8s\.io\//;

let unpacked: Readonly<Record<string, readonly JsonObject[]>> | undefined;

/** A uid that is the same in every server. */
function uidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

/**
 * The objects of a resource that every cluster has from the start: roles, bindings, priority classes, flow schemas, the range of service
 * addresses.
 */
export function bootstrapObjects(bucketId: string, now: string): readonly StoredContent[] {
  if (!seeded.test(bucketId)) return [];
  unpacked ??= unpack(packedBootstrap) as NonNullable<typeof unpacked>;
  const objects = (unpacked[bucketId] ?? []).map((object): StoredContent => {
    const meta = asJsonObject(object['metadata']) as unknown as StoredMeta;
    const uid = uidOf(`${bucketId}/${meta.namespace ?? ''}/${meta.name}`);
    const dated = JSON.parse(JSON.stringify(object).replaceAll('"NOW"', JSON.stringify(now))) as JsonObject;
    const { kind: _, apiVersion: _version, ...fields } = dated;
    return { ...fields, metadata: orderedMeta(meta, { uid, resourceVersion: '1', creationTimestamp: now }) };
  });
  return withGatheredRules(objects);
}
