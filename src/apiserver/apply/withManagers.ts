import type { Cluster } from '../cluster.js';
import type { Json } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import type { StoredContent } from '../store/storedObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import type { WriteOptions } from '../write/writeOptions.js';
import { writeManagers } from './managedFields.js';
import { managersBefore, trackWrite } from './trackWrite.js';

/** One write, as far as the ownership of fields is concerned. */
export interface TrackedWrite {
  readonly resource: ServedResource;
  readonly before: StoredContent | undefined;
  readonly after: StoredContent;
  /** `metadata.managedFields` as it was sent. */
  readonly sent: readonly Json[] | undefined;
  /** `''` for the object itself. */
  readonly subresource: string;
}

/**
 * The object with `metadata.managedFields` brought up to date. Of an object that nobody is known to own anything of, nobody is tracked before the first
 * apply: it finds the fields owned by `before-first-apply`.
 */
export function withManagers(
  cluster: Cluster,
  { resource, before, after, sent, subresource }: TrackedWrite,
  options: WriteOptions,
): StoredContent {
  // The server fails to tell whose the fields of these are, and leaves it.
  if (resource.bucketId === 'certificates.k8s.io/certificatesigningrequests') return after;
  const known = before?.metadata['managedFields'];
  // What a test puts in place is nobody's.
  const fromNow = before === undefined && cluster.managedFields && options.manager !== undefined;
  if (sent === undefined && known === undefined && !fromNow) return after;
  const owned = (managedFields: readonly Json[] | undefined): StoredContent =>
    managedFields !== undefined && managedFields === after.metadata['managedFields']
      ? after
      : { ...after, metadata: orderedMeta(after.metadata, { managedFields }) };
  if (options.applied === true) return owned(sent);
  const writer = { name: options.manager ?? 'unknown', subresource: options.through ?? subresource };
  const managers = managersBefore(before, sent, writer);
  if (managers.size === 0 && !fromNow) return owned(undefined);
  return owned(writeManagers(trackWrite(cluster, resource, managers, before, after, writer)));
}
