import type { Cluster } from '../cluster.js';
import type { QueryParameters } from '../http/queryParameters.js';
import {
  badRequest,
  bareError,
  expired,
  forbiddenField,
  invalidOptions,
  notSupported,
  tooLargeResourceVersion,
  type FieldError,
} from '../status/statusErrors.js';
import type { Bucket } from '../store/bucket.js';
import type { OrderedMap } from '../store/orderedMap.js';
import type { StoreSnapshot } from '../store/store.js';
import type { StoredObject } from '../store/storedObject.js';
import { decodeContinueToken, encodeContinueToken } from './continueToken.js';
import { parseResourceVersion, waitForResourceVersion } from './resourceVersions.js';

/** The objects that a list reads: all of its resource at one version, starting from a key. */
export interface ListPlan {
  readonly root: OrderedMap<StoredObject>;
  readonly resourceVersion: number;
  /** The first key, relative to the list's prefix; `''` for all. */
  readonly start: string;
  /** The maximum number of items of the answer; undefined for all. */
  readonly limit: number | undefined;
}

const tooOldList = 'The resourceVersion for the provided list is too old.';
const tooOldContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use ' +
  'the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - ' +
  'objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Where a list reads from. */
export interface ListSource {
  /** The state that the watch cache is stuck at. */
  readonly stale?: () => StoreSnapshot | undefined;
  /** Whether the list is read in chunks of the server's choice, as before the deletion of a collection. */
  readonly paged?: boolean;
}

/** @throws StatusError 422 for options that contradict each other. */
export function checkListOptions({ features }: Cluster, query: QueryParameters): void {
  if (features.watchList === 'ignored') return;
  const match = query.text('resourceVersionMatch');
  const version = query.text('resourceVersion');
  const errors: FieldError[] = [];
  const forbid = (detail: string): number => errors.push(forbiddenField('resourceVersionMatch', detail));
  if (match !== '') {
    if (version === '') forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (query.text('continue') !== '') forbid('resourceVersionMatch is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported('resourceVersionMatch', JSON.stringify(match), ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && version === '0') forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (query.has('sendInitialEvents') && features.modern)
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (errors.length > 0) throw invalidOptions('ListOptions', ...errors);
}

function exactly(cluster: Cluster, bucket: Bucket, resourceVersion: number): OrderedMap<StoredObject> {
  const { store, features } = cluster;
  if (resourceVersion > store.resourceVersion) {
    throw features.modern
      ? tooLargeResourceVersion(resourceVersion, store.resourceVersion)
      : bareError('etcdserver: mvcc: required revision is a future revision');
  }
  if (resourceVersion < store.exactFloor(bucket)) throw expired(tooOldList);
  return bucket.rootAt(resourceVersion);
}

function continued(cluster: Cluster, bucket: Bucket, token: string, version: string, limit: number | undefined): ListPlan {
  const { store } = cluster;
  const { resourceVersion, start } = decodeContinueToken(token);
  if (version !== '' && version !== '0') throw badRequest('specifying resource version is not allowed when using continue');
  if (resourceVersion === -1) return { root: bucket.root, resourceVersion: store.resourceVersion, start, limit };
  if (resourceVersion < store.exactFloor(bucket)) throw expired(tooOldContinue, encodeContinueToken({ resourceVersion: -1, start }));
  return { root: exactly(cluster, bucket, resourceVersion), resourceVersion, start, limit };
}

/**
 * Decides what a list reads, by its resourceVersion, resourceVersionMatch, limit and continue token. May wait for a version that has not
 * been reached.
 *
 * @throws StatusError for contradictory options, and for versions that are too old or too new.
 */
export async function planList(
  cluster: Cluster,
  bucketOf: () => Bucket,
  query: QueryParameters,
  { stale, paged = false }: ListSource = {},
): Promise<ListPlan> {
  const { store, features } = cluster;
  const asked = query.integer('limit') ?? 0;
  const limit = asked > 0 ? asked : undefined;
  const version = query.text('resourceVersion');
  const match = features.watchList === 'ignored' ? '' : query.text('resourceVersionMatch');
  const token = query.text('continue');
  // The watch cache answers "any version" with all objects, even for a continued list.
  if (token !== '') return continued(cluster, bucketOf(), token, version, version === '0' ? undefined : limit);
  const number = parseResourceVersion(version, features.modern);
  if (number !== undefined && number > 0) {
    const exact = match === 'Exact' || (match === '' && (limit !== undefined || paged));
    if (exact) return { root: exactly(cluster, bucketOf(), number), resourceVersion: number, start: '', limit };
    await waitForResourceVersion(cluster, number);
  }
  const old = number === 0 ? stale?.() : undefined;
  if (old !== undefined) return { root: old.roots.get(bucketOf().id), resourceVersion: old.resourceVersion, start: '', limit: undefined };
  // The watch cache answers "any version" with all objects, whatever the limit is.
  return { root: bucketOf().root, resourceVersion: store.resourceVersion, start: '', limit: version === '0' ? undefined : limit };
}
