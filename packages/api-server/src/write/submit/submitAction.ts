import { admissionOf } from '../../admission/admission.js';
import type { Cluster } from '../../cluster.js';
import type { Exchange } from '../../http/exchange.js';
import type { ResourceTarget } from '../../http/routePath.js';
import { asJsonObject, type JsonObject } from '../../json.js';
import { reviewOptions } from './reviewOptions.js';

/**
 * Runs admission for the object of a subresource that is an action: an eviction, a binding, a token request.
 *
 * @returns the object as changed by webhooks.
 * @throws StatusError when it is denied.
 */
export async function submitAction(cluster: Cluster, exchange: Exchange, target: ResourceTarget, action: JsonObject): Promise<JsonObject> {
  const admission = admissionOf(cluster, exchange);
  if (admission === undefined) return action;
  const { namespace, name } = target;
  const { kind, apiVersion, metadata, ...fields } = action;
  const attributes = {
    operation: 'CREATE' as const,
    ...target,
    object: { kind, apiVersion, metadata: { name, namespace, ...asJsonObject(metadata) }, ...fields },
    oldObject: undefined,
    ...reviewOptions('CreateOptions', exchange, exchange.parameters.text('dryRun') === 'All'),
  };
  const changed = (await admission.mutate(attributes)) ?? attributes.object;
  await admission.validate({ ...attributes, object: changed });
  return changed;
}
