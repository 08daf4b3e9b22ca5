const signs: Readonly<Record<string, string>> = { added: '+', updated: '~', deleted: '−' };

function nameOf(key: string): string {
  return key.replace(/^default\//, '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function eventLabel({ type, key, object, resync }: Record<string, unknown>): string {
  if (type === 'synced') return '✓';
  const sign = resync === true ? '=' : (signs[String(type)] ?? '');
  const value = isRecord(object) && 'metadata' in object ? '' : valueLabel(object);
  const shown = type === 'deleted' || value === '' ? '' : `: ${value}`;
  return `${sign}${nameOf(String(key))}${shown}`;
}

/** The label of a view's value in a marble. */
function valueLabel(value: unknown): string {
  if (!isRecord(value)) return value === undefined ? '' : JSON.stringify(value).replaceAll('"', '');
  const members = Array.isArray(value) ? value : value['objects'];
  return Array.isArray(members) ? members.map(objectLabel).join(' ') : '';
}

function objectLabel(object: unknown): string {
  if (!isRecord(object)) return String(object);
  return isRecord(object['metadata']) ? String(object['metadata']['name']) : '{}';
}

/** The label of a value in its marble. */
export function labelOf(value: unknown): string {
  if (!isRecord(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(objectLabel).join(' ')}]`;
  if (Array.isArray(value['events'])) return value['events'].map(eventLabel).join(' ') || '∅';
  if (typeof value['state'] === 'string') return value['state'];
  if (typeof value['type'] === 'string') return eventLabel(value);
  if (typeof value['keys'] === 'function') return [...(value as unknown as Map<string, unknown>).keys()].map(nameOf).join(' ') || '∅';
  return objectLabel(value);
}
