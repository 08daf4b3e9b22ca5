import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { requireObject } from '../read/getObject.js';
import { asString, valueAt } from '../json.js';
import { badRequest } from '../status/statusErrors.js';

/** Explains why a subresource that needs a kubelet is not available. */
export function handleUnavailable(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { name, content } = requireObject(cluster, target);
  if (target.resource.bucketId === '/pods' && target.subresource !== 'proxy' && asString(valueAt(content, 'spec', 'nodeName')) === '')
    return Promise.reject(badRequest(`pod ${name} does not have a host assigned`));
  if (target.resource.bucketId === '/pods' && target.subresource !== 'proxy' && exchange.incoming.headers.upgrade === undefined)
    return Promise.reject(badRequest('Upgrade request required'));
  return Promise.reject(
    badRequest(`nothing runs behind ${target.resource.plural} "${name}" of this server: ${target.subresource} is not available`),
  );
}
