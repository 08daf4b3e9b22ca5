import { type Identity, identityOf } from './identity.js';

/**
 * Knows the identity, as sent, of values by key. It stores one only where the value's own metadata does not say it.
 */
export interface IdentityMemory {
  recall(key: string, value: unknown): Identity;
  remember(key: string, value: unknown, identity: Identity): void;
  forget(key: string): void;
}

/** For values that are the objects as sent. */
const stated: IdentityMemory = {
  recall: (_, value) => identityOf(value),
  remember: () => undefined,
  forget: () => undefined,
};

/**
 * @param transformed - whether values may be anything but the objects as sent.
 */
export function createIdentityMemory(transformed = true): IdentityMemory {
  if (!transformed) return stated;
  const differing = new Map<string, Identity>();
  return {
    recall: (key, value) => differing.get(key) ?? identityOf(value),
    remember: (key, value, identity) => {
      const own = identityOf(value);
      if (own.uid === identity.uid && own.resourceVersion === identity.resourceVersion) differing.delete(key);
      else differing.set(key, identity);
    },
    forget: (key) => {
      differing.delete(key);
    },
  };
}
