import type { Cluster } from '../cluster.js';
import type { Json } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import type { StoredContent } from '../store/storedObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import type { WriteOptions } from '../write/writeOptions.js';
import { writeManagers } from './managedFields.js';
import { managersBefore, trackWrite } from './trackWrite.js';

/** The facts of one write that ownership of fields depends on. */
export interface TrackedWrite {
  readonly resource: ServedResource;
  readonly before: StoredContent | undefined;
  readonly after: StoredContent;
  /** `metadata.managedFields` as the client sent it. */
  readonly sent: readonly Json[] | undefined;
  /** `''` for the object itself. */
  readonly subresource: string;
}

/**
 * The object with updated `metadata.managedFields`. For an object without recorded managers, none are recorded before the first
 * apply, which assigns the existing fields to `before-first-apply`.
 */
export function withManagers(
  cluster: Cluster,
  { resource, before, after, sent, subresource }: TrackedWrite,
  options: WriteOptions,
): StoredContent {
  // For these objects, the API server fails to compute the managers, and keeps the old ones.
  if (resource.bucketId === 'certificates.k8s.io/certificatesigningrequests') return after;
  const known = before?.metadata['managedFields'];
  // Objects that a test creates directly have no managers.
  const fromNow = before === undefined && cluster.managedFields && options.manager !== undefined;
  if (sent === undefined && known === undefined && !fromNow) return after;
  const owned = (managedFields: readonly Json[] | undefined): StoredContent =>
    managedFields !== undefined && managedFields === after.metadata['managedFields']
      ? after
      : { ...after, metadata: orderedMeta(after.metadata, { managedFields }) };
  if (options.applied === true) return owned(sent);
  const writer = { name: options.manager ?? 'unknown', subresource: options.through ?? subresource };
  const managers = managersBefore(resource, before, sent, writer);
  if (managers.size === 0 && !fromNow) return owned(undefined);
  return owned(writeManagers(trackWrite(cluster, resource, managers, before, after, writer)));
}
