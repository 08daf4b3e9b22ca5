/** Deeper values are not sent, because relay and page walk values recursively. */
const deepest = 500;

/** The annotation in which kubectl keeps a copy of an object. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value is a `managedFields`, also of metadata that a view has put elsewhere. */
function isManagedFields(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => isObject(entry) && ('manager' in entry || 'fieldsV1' in entry));
}

/** Whether a field holds a copy of the object's fields, or of their names. */
function isCopy(name: string | number, value: unknown, parent: string | number): boolean {
  if (name === lastApplied) return true;
  if (name === 'managedFields') return parent === 'metadata' || isManagedFields(value);
  return name === 'annotations' && isObject(value) && Object.keys(value).join() === lastApplied;
}

/** Whether a field is secret as a rule: the data of a Secret, or the value of an environment variable. */
export function isSecret(name: string | number, object: object, parent: string | number = ''): boolean {
  if (name === 'data' || name === 'stringData') return 'kind' in object && object.kind === 'Secret';
  return name === 'value' && parent === 'env';
}

/**
 * What a page gets of a value: as `JSON.stringify` would write it, at any depth without `managedFields` and the copy that kubectl leaves of an object in its
 * annotations; with \`hidesSecrets\`, without what is secret as a rule. Fields without a value in JSON become undefined. What stays the same is returned itself.
 *
 * @throws TypeError for a BigInt; RangeError for a value nested too deeply, or one that contains itself.
 */
export function jsonOf(value: unknown, hidesSecrets = false, depth = 0, parent: string | number = ''): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') throw new TypeError('JSON has no BigInt');
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) throw new RangeError(`it is nested more than ${deepest} levels deep`);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return jsonOf((value as { toJSON(): unknown }).toJSON(), hidesSecrets, depth + 1, parent);
  const isList = Array.isArray(value);
  let result = value as Record<string, unknown>;
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const part = result[name];
    const isHidden = isCopy(name, part, parent) || (hidesSecrets && isSecret(name, value, parent));
    const json = isHidden ? undefined : jsonOf(part, hidesSecrets, depth + 1, isList ? parent : name);
    const sent = isList && json === undefined ? null : json;
    if (sent === part) continue;
    if (result === value) result = (isList ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    result[name] = sent;
  }
  return result;
}
