/** Deeper values are not sent, because relay and page walk values recursively. */
const deepest = 500;

/**
 * What a page gets of a value: as `JSON.stringify` would write it. Fields without a value in JSON become undefined. JSON is returned itself.
 *
 * @throws TypeError for a BigInt; RangeError for a value nested too deeply, or one that contains itself.
 */
export function jsonOf(value: unknown, depth = 0): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') throw new TypeError('JSON has no BigInt');
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) throw new RangeError(`it is nested more than ${deepest} levels deep`);
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonOf((value as { toJSON(): unknown }).toJSON(), depth + 1);
  const isList = Array.isArray(value);
  let result = value as Record<string, unknown>;
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const part = result[name];
    const json = jsonOf(part, depth + 1);
    const sent = isList && json === undefined ? null : json;
    if (sent === part) continue;
    if (result === value) result = (isList ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    result[name] = sent;
  }
  return result;
}
