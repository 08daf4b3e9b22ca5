const longestName = 253;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestName) : '';
}

/**
 * Names an object in a message by its kind and name alone: what else it holds may be secret.
 */
export function describeObject(object: unknown): string {
  if (object === null) return 'null';
  if (typeof object !== 'object') return object === undefined ? 'undefined' : `a ${typeof object}`;
  const { kind, metadata } = object as { kind?: unknown; metadata?: { name?: unknown; namespace?: unknown } | null };
  const what = textOf(kind) || (Array.isArray(object) ? 'an array' : 'an object');
  const name = textOf(metadata?.name);
  if (name === '') return `${what} without a name`;
  const namespace = textOf(metadata?.namespace);
  return `${what} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
