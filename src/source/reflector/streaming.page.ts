import type * as whole from './streaming.js';

/** Browsers take the first member of a compressed stream for the whole: pages list. */
export const canStream = false;

/** Never reached. */
export const streaming: typeof whole.streaming = (state) => state;
