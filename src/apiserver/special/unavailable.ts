import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { requireObject } from '../read/getObject.js';
import { badRequest } from '../status/statusErrors.js';

/** Says why a subresource that reaches into containers or nodes has no answer. */
export function handleUnavailable(cluster: Cluster, _: Exchange, target: ResourceTarget): Promise<void> {
  const { name } = requireObject(cluster, target);
  return Promise.reject(
    badRequest(`nothing runs behind ${target.resource.plural} "${name}" of this server: ${target.subresource} is not available`),
  );
}
