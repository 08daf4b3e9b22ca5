/** The resourceVersion of an object; undefined when it has none. */
export function resourceVersionOf(object: unknown): string | undefined {
  const version = (object as { metadata?: { resourceVersion?: unknown } | null } | null | undefined)?.metadata?.resourceVersion;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** The uid of an object; undefined when it has none. */
export function uidOf(object: unknown): string | undefined {
  const uid = (object as { metadata?: { uid?: unknown } | null } | null | undefined)?.metadata?.uid;
  return typeof uid === 'string' && uid !== '' ? uid : undefined;
}
