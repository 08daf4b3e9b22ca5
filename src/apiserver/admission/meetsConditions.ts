import { asString, type JsonObject } from '../json.js';
import { compiledRule, loadRules } from '../schema/rules/ruleEngine.js';
import { evaluationProblem } from '../schema/rules/ruleFindings.js';
import { ruleValue } from '../schema/rules/ruleValue.js';
import { forbidden } from '../status/statusErrors.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import type { AdmissionWebhook } from './admissionWebhook.js';

/**
 * Whether to call a webhook: all its `matchConditions` must be true.
 *
 * @throws StatusError 403 when a condition fails, none is false, and the failure policy is `Fail`.
 */
export async function meetsConditions(
  { conditions, ignoresFailure }: AdmissionWebhook,
  { resource, name, object, oldObject }: AdmissionAttributes,
  request: JsonObject,
): Promise<boolean> {
  if (conditions.length === 0) return true;
  await loadRules();
  const variables = { object: ruleValue(object ?? null, {}), oldObject: ruleValue(oldObject ?? null, {}), request: ruleValue(request, {}) };
  let problem: string | undefined;
  for (const { expression } of conditions) {
    const text = asString(expression);
    try {
      if (compiledRule(text)?.(variables) !== true) return false;
    } catch (error) {
      problem ??= `expression '${text}' resulted in error: ${evaluationProblem(error)}`;
    }
  }
  if (problem === undefined) return true;
  if (ignoresFailure) return false;
  throw forbidden(resource, name, problem);
}
