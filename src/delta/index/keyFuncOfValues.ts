import type { KeyFunc } from '../../cache/keys/keyFunc.js';
import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';
import type { ObjectIntakeOptions } from './objectIntake.js';

/** What makes of a value the key that it is cached under; undefined when only the object as sent is sure to tell it. */
export function keyFuncOfValues<T, U>({ keys, transform, keyFunc }: ObjectIntakeOptions<T, U>): KeyFunc<U> | undefined {
  if (keys !== undefined) return keys.keyOf;
  // Without a transform, U is T.
  return transform === undefined ? ((keyFunc ?? metaNamespaceKey) as KeyFunc<unknown>) : undefined;
}
