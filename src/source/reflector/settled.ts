import { provesHealth } from './provesHealth.js';
import type { Memory, Turn, WatchingState } from './state.js';

/**
 * What is remembered of a watch that is over.
 *
 * - It may be proof of health: the next failure counts as the first.
 * - Unless the server ended it when it was asked to, another server may have taken its place, one that was restored from a backup: it is doubted
 *   until its version has been looked at.
 *
 * @internal
 */
export function settled(state: WatchingState, turn: Turn<unknown>, onTime = false): Memory {
  const { memory, version, look } = state;
  const doubtedAt = look?.version ?? (onTime ? undefined : version);
  return { ...memory, version, doubtedAt, ...(provesHealth(state, turn) && { failures: 0, connectionFailures: 0 }) };
}
