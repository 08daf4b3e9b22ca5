import type { Cluster } from '../cluster.js';
import type { JsonObject } from '../json.js';
import { loadRules } from '../schema/rules/ruleEngine.js';
import { ruleValue } from '../schema/rules/ruleValue.js';
import { forbidden } from '../status/statusErrors.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import type { AdmissionWebhook } from './admissionWebhook.js';
import { authorizerOf, ExpressionError, meetsAll } from './policyExpression.js';

/**
 * Whether to call a webhook: all its `matchConditions` must be true.
 *
 * @throws StatusError 403 when a condition fails, none is false, and the failure policy is `Fail`.
 */
export async function meetsConditions(
  cluster: Cluster,
  { conditions, ignoresFailure }: AdmissionWebhook,
  attributes: AdmissionAttributes,
  request: JsonObject,
): Promise<boolean> {
  if (conditions.length === 0) return true;
  await loadRules();
  const { resource, name, object, oldObject } = attributes;
  const seen = { object: ruleValue(object ?? null, {}), oldObject: ruleValue(oldObject ?? null, {}), request: ruleValue(request, {}) };
  try {
    return meetsAll(conditions, { ...seen, authorizer: authorizerOf(cluster, attributes) });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (ignoresFailure) return false;
    throw forbidden(resource, name, error.message);
  }
}
