import { notInPages } from '../../api/notInPages.js';
import type * as whole from './startWarm.js';
import { warmParts, type WarmStore } from './warmParts.js';

/** In a page, the warm start comes with a store for pages. */
export const startWarm: typeof whole.startWarm = (init) => {
  const { [warmParts]: parts } = init.warmStart.store as WarmStore;
  return parts?.startWarm(init) ?? notInPages('`warmStart` without a store for pages');
};
