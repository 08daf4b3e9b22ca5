import type * as whole from './createDiscovery.js';
import type { Discovery } from './discovery.js';

/** Loaded when somebody asks for it. */
export const createDiscovery: typeof whole.createDiscovery = (ask) => {
  let loading: Promise<Discovery> | undefined;
  const loaded = (): Promise<Discovery> => (loading ??= import('./createDiscovery.js').then((module) => module.createDiscovery(ask)));
  return {
    resources: async () => (await loaded()).resources(),
    find: async (name) => (await loaded()).find(name),
    category: async (name) => (await loaded()).category(name),
    invalidate: () => void loading?.then((discovery) => discovery.invalidate()),
  };
};
