/**
 * What tells one object, and one version of it, from another: as sent, before any transform.
 */
export interface Identity {
  readonly uid: string;
  readonly resourceVersion: string;
}

interface MaybeMeta {
  readonly metadata?: { readonly uid?: unknown; readonly resourceVersion?: unknown } | null;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The identity that an object's own metadata states; empty strings where it states none.
 */
export function identityOf(object: unknown): Identity {
  const metadata = typeof object === 'object' && object !== null ? (object as MaybeMeta).metadata : undefined;
  return { uid: text(metadata?.uid), resourceVersion: text(metadata?.resourceVersion) };
}

/**
 * Whether `after` is another object than `before` under the same name.
 */
export function isRecreated(before: Identity, after: Identity): boolean {
  return before.uid !== after.uid && before.uid !== '' && after.uid !== '';
}

/**
 * Whether both are the same version of the same object, as far as they say.
 */
export function isSameVersion(before: Identity, after: Identity): boolean {
  return before.resourceVersion !== '' && before.resourceVersion === after.resourceVersion && before.uid === after.uid;
}
