import { asString, type JsonObject } from '../json.js';
import { compiledRule, loadRules } from '../schema/rules/ruleEngine.js';
import { ruleValue } from '../schema/rules/ruleValue.js';
import { forbidden } from '../status/statusErrors.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import type { AdmissionWebhook } from './admissionWebhook.js';

/**
 * Whether a webhook is to be asked, by its `matchConditions`: all of them have to be true.
 *
 * @throws StatusError 403 when one fails, none is false, and the webhook must not fail.
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
      if (compiledRule(text)?.rule?.(variables) !== true) return false;
    } catch (error) {
      const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      problem ??= `expression '${text}' resulted in error: ${first.charAt(0).toLowerCase()}${first.slice(1)}`;
    }
  }
  if (problem === undefined) return true;
  if (ignoresFailure) return false;
  throw forbidden(resource, name, problem);
}
