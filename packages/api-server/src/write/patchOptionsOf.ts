import type { Exchange } from '../http/exchange.js';
import { forbiddenField, required } from '../status/statusErrors.js';
import type { PatchType } from './patchTypes.js';
import { writeOptionsOf, type WriteOptions } from './writeOptions.js';

/**
 * The options of a patch; an apply requires a field manager.
 *
 * @throws StatusError 422 for wrong options.
 */
export function patchOptionsOf(exchange: Exchange, { creates }: PatchType): WriteOptions {
  const query = exchange.parameters;
  if (!creates && !query.has('force')) return { ...writeOptionsOf('PatchOptions', exchange), applied: false };
  const nameless = creates && query.text('fieldManager') === '';
  const forced = !creates && query.has('force');
  const options = writeOptionsOf('PatchOptions', exchange, [
    ...(nameless ? [required('fieldManager', 'is required for apply patch')] : []),
    ...(forced ? [forbiddenField('force', 'may not be specified for non-apply patch')] : []),
  ]);
  return { ...options, applied: creates };
}
