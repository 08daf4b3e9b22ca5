import type * as whole from './streaming.js';

/** False: browsers decode only the first gzip member of a compressed stream, so pages list. */
export const canStream = false;

/** Never reached. */
export const streaming: typeof whole.streaming = (state) => state;

/** No list is streamed. */
export const isNew: typeof whole.isNew = () => false;
