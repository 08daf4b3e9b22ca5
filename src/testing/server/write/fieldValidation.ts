import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest, invalid, invalidValue } from '../status/statusErrors.js';

/**
 * Deals with fields of a submitted object that its kind does not have, as `fieldValidation` asks: refuses them, warns of them, or lets them go
 * without a word.
 *
 * @throws StatusError 400, or 422 when a patch has made them.
 */
export function checkUnknownFields(
  { features }: Pick<Cluster, 'features'>,
  exchange: Exchange,
  resource: ServedResource,
  object: JsonObject,
  patch = false,
): void {
  const directive = exchange.parameters.text('fieldValidation') || (features.modern ? 'Warn' : 'Ignore');
  if (directive === 'Ignore') return;
  const problems = (resource.rules.unknownFields?.(object) ?? []).map((path) => `unknown field "${path}"`);
  if (problems.length === 0) return;
  if (directive === 'Warn') {
    exchange.response.setHeader(
      'warning',
      problems.map((problem) => `299 - ${JSON.stringify(problem)}`),
    );
    return;
  }
  const problem = `strict decoding error: ${problems.join(', ')}`;
  if (patch) throw invalid('', '', '', [invalidValue('patch', JSON.stringify(JSON.stringify(object)), problem)]);
  throw badRequest(`${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${problem}`);
}
