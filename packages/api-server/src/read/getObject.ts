import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { badRequest, notFound } from '../status/statusErrors.js';
import { storageKey, type StoredObject } from '../store/storedObject.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { offersForm, representationOf } from './representations.js';
import { parseResourceVersion, waitForResourceVersion } from './resourceVersions.js';

/** The stored object at a path. */
export function findObject(
  { store }: Cluster,
  { resource, namespace, name }: Pick<ResourceTarget, 'resource' | 'namespace' | 'name'>,
): StoredObject | undefined {
  return store.bucket(resource.bucketId).get(storageKey(namespace, name));
}

/** The stored object at a path. @throws StatusError 404 when there is none. */
export function requireObject(cluster: Cluster, target: Pick<ResourceTarget, 'resource' | 'namespace' | 'name'>): StoredObject {
  const stored = findObject(cluster, target);
  if (stored === undefined) throw notFound(target.resource, target.name);
  return stored;
}

/** Answers with one object in the negotiated form. */
export function sendStored(exchange: Exchange, resource: ServedResource, code: number, stored: StoredObject): Promise<void> {
  const representation = representationOf(resource, exchange, 'object');
  return exchange.sendParts(code, representation.object(stored));
}

/** Negotiates the form of an answer with one object, before the request is carried out. */
export function negotiateObject(exchange: Exchange, resource: ServedResource): void {
  exchange.negotiate({ yaml: true, custom: resource.custom !== undefined, converts: offersForm });
}

/** Handles a GET of one object. */
export async function getObject(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  negotiateObject(exchange, target.resource);
  if (exchange.parameters.has('export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const version = parseResourceVersion(exchange.parameters.text('resourceVersion'), false);
  if (version !== undefined) await waitForResourceVersion(cluster, version);
  await sendStored(exchange, target.resource, 200, requireObject(cluster, target));
}
