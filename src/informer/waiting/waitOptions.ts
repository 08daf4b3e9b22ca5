import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';

/** Bounds of a wait. */
export interface WaitOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the wait after this many milliseconds; no bound by default, and none with `Infinity`. */
  readonly timeoutMs?: number | undefined;
}

/** The rules of the bounds of a wait. @internal */
export const waitRules: OptionRules<WaitOptions> = { signal: rules.signal, timeoutMs: rules.durationMs };
