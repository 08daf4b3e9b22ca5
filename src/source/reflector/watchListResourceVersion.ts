import type { ListSemantics } from '../pages/listSemantics.js';
import type { RelistState } from './relistResourceVersion.js';

/**
 * The version that a streamed list asks to be at least as new as; `''` for the most recent state, also for the first one.
 *
 * @internal
 */
export function watchListResourceVersion({ lastResourceVersion, versionUnavailable }: RelistState, semantics: ListSemantics): string {
  if (versionUnavailable || semantics === 'mostRecent') return '';
  if (lastResourceVersion !== '') return lastResourceVersion;
  return typeof semantics === 'object' && 'notOlderThan' in semantics ? semantics.notOlderThan : '';
}
