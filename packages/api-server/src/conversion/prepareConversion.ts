import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredContent } from '../store/storedObject.js';

/** The contents that an answer may include: one object, or all objects of a resource, with what they were earlier. */
function* contentsFor({ store }: Cluster, { resource, namespace, name }: ResourceTarget, earlier: boolean): Generator<StoredContent> {
  const bucket = store.bucket(resource.bucketId);
  if (name !== '' && !earlier) {
    const stored = bucket.get(namespace === '' ? name : `${namespace}/${name}`);
    if (stored !== undefined) yield stored.content;
    return;
  }
  for (const stored of valuesBetween(bucket.root)) if (namespace === '' || stored.namespace === namespace) yield stored.content;
  if (!earlier) return;
  for (let at = bucket.positionAfter(0); at < bucket.endPosition; at += 1) {
    const change = bucket.changeAt(at);
    if (change === undefined) continue;
    yield change.object.content;
    if (change.previous !== undefined) yield change.previous.content;
  }
}

/** Calls the conversion webhook for everything that an answer in another version than the stored one may include. */
export async function prepareConversion(cluster: Cluster, { verb, parameters }: Exchange, target: ResourceTarget): Promise<void> {
  const { custom, groupVersion } = target.resource;
  if (custom?.webhook === undefined || groupVersion === custom.webhook.stored) return;
  const earlier = verb === 'watch' || (verb === 'list' && (parameters.text('resourceVersion') || parameters.text('continue')) !== '');
  await custom.webhook.prepare(groupVersion, contentsFor(cluster, target, earlier), !earlier);
}
