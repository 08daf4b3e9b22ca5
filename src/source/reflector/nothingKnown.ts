import type { Memory } from './state.js';

/**
 * What a reflector knows at its beginning.
 *
 * @internal
 */
export const nothingKnown: Memory = {
  version: '',
  versionUnavailable: false,
  consistent: false,
  paginated: false,
  undecodableVersion: undefined,
  internalErrors: { since: 0, last: -Infinity },
  failures: 0,
  connectionFailures: 0,
  link: undefined,
  doubtedAt: undefined,
  unordered: false,
  relistAt: Infinity,
};
