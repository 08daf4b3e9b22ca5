import { notInPages } from '../../api/notInPages.js';
import type * as whole from './startWarm.js';
import { warmParts, type WarmStore } from './warmParts.js';

/** A store for pages brings what a warm start takes. */
export const startWarm: typeof whole.startWarm = (init) => {
  const { [warmParts]: parts } = init.warmStart.store as WarmStore;
  return parts?.startWarm(init) ?? notInPages('`warmStart` without a store for pages');
};
