import type { BufferOptions } from '../../delta/buffers/bufferOptions.js';

/**
 * Options of `events`.
 */
export interface EventsOptions {
  /** For how many milliseconds events are handed over at a stretch. Default 10. */
  readonly sliceMs?: number | undefined;
  /** How often every cached object is told again as a `resync` update, in milliseconds; the informer's period by default, `0` for never. */
  readonly resyncPeriodMs?: number | undefined;
}

/**
 * Options of `process`.
 */
export interface ProcessOptions extends BufferOptions, EventsOptions {}
