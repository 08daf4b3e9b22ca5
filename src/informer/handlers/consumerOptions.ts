import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { type BufferOptions, bufferRules } from '../../delta/buffers/bufferOptions.js';

/** Options of `events`. */
export interface EventsOptions {
  /** For how many milliseconds events are handed over at a stretch; a change of more than 1,000 events waits for the next turn of the event loop. Default 10. */
  readonly sliceMs?: number | undefined;
  /** How often every cached object is emitted again as a `resync` update, in milliseconds; the informer's period by default, `0` for never. */
  readonly resyncPeriodMs?: number | undefined;
}

/** Options of `process`. */
export interface ProcessOptions extends BufferOptions, EventsOptions {}

/** The rules of the options of `events`. @internal */
export const eventsRules: OptionRules<EventsOptions> = {
  sliceMs: { ...rules.number({ above: 0, infinite: true }), expected: 'a number of milliseconds > 0 or Infinity' },
  resyncPeriodMs: rules.durationMs,
};

/** The rules of the options of `process`. @internal */
export const processRules: OptionRules<ProcessOptions> = { ...eventsRules, ...bufferRules };
