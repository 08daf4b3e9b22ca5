import type * as whole from './discoveryOf.js';
import type { Discovery } from './discovery.js';

/** Loaded at the first use. */
export const discoveryOf: typeof whole.discoveryOf = (requester) => {
  let loading: Promise<Discovery> | undefined;
  const loaded = (): Promise<Discovery> => (loading ??= import('./discoveryOf.js').then((module) => module.discoveryOf(requester)));
  return {
    resources: async () => (await loaded()).resources(),
    find: async (name) => (await loaded()).find(name),
    category: async (name) => (await loaded()).category(name),
    invalidate: () => void loading?.then((discovery) => discovery.invalidate()),
  };
};
