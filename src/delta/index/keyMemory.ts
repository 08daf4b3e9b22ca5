import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';

/** Keeps the key of a value that a transform has made, and from which it cannot be computed any more. */
export interface KeyMemory {
  /** The key function for the store of such values. */
  readonly keyOf: (value: unknown) => string;
  /** Returns what to store for `key`: the value, or a copy of it when it is stored under another key already. */
  remember<U>(key: string, value: U): U;
}

function ownKey(value: unknown): string | undefined {
  try {
    return metaNamespaceKey(value as Parameters<typeof metaNamespaceKey>[0]);
  } catch {
    return undefined;
  }
}

/**
 * Makes a key memory, for `keyFunc` of a store and `keys` of `scanToIndex`.
 *
 * It holds on to nothing: what the store lets go is forgotten.
 */
export function createKeyMemory(): KeyMemory {
  const keys = new WeakMap<object, string>();
  return {
    keyOf: (value) => keys.get(value as object) ?? metaNamespaceKey(value as Parameters<typeof metaNamespaceKey>[0]),
    remember: (key, value) => {
      const told = keys.get(value as object) ?? ownKey(value);
      if (told === key) return value;
      // A value that tells another key may be stored under it.
      const mine = told === undefined ? value : { ...value };
      keys.set(mine as object, key);
      return mine;
    },
  };
}
