import { admissionOf } from '../../admission/admission.js';
import type { Cluster } from '../../cluster.js';
import type { Exchange } from '../../http/exchange.js';
import type { ResourceTarget } from '../../http/routePath.js';
import { requireObject } from '../../read/getObject.js';
import { deleteObject, type Deletion } from '../deleteObject.js';
import type { DeleteOptions } from '../deleteOptions.js';
import { documentOf } from '../documentOf.js';
import { reviewDeleteOptions } from './reviewOptions.js';

/**
 * Deletes an object, after admission. For the deletion of a collection, `askedName` is empty.
 *
 * @throws StatusError when the deletion is refused.
 */
export async function submitDelete(
  cluster: Cluster,
  exchange: Exchange,
  target: ResourceTarget,
  options: DeleteOptions,
  askedName: string = target.name,
): Promise<Deletion> {
  const { resource, namespace, name } = target;
  const existing = requireObject(cluster, target);
  const admission = admissionOf(cluster, exchange);
  if (admission === undefined) return deleteObject(cluster, resource, existing, options);
  const attributes = {
    operation: 'DELETE' as const,
    resource,
    subresource: '',
    namespace: resource.bucketId === '/namespaces' ? name : namespace,
    name: askedName,
    object: undefined,
    oldObject: documentOf(resource, existing),
    options: reviewDeleteOptions(options),
    dryRun: options.dryRun,
    user: exchange.user,
  };
  await admission.mutate(attributes);
  await admission.validate(attributes);
  return deleteObject(cluster, resource, requireObject(cluster, target), options);
}
