import type { ResourceVersionMatch } from '../../api/listerWatcher.js';
import type { ListSemantics } from '../pages/listSemantics.js';

/**
 * What is known when a list begins.
 *
 * @internal
 */
export interface RelistState {
  /** The last version seen; `''` before the first list. */
  readonly lastResourceVersion: string;
  /** A list at the last version failed because of that version, and none has succeeded since. */
  readonly versionUnavailable: boolean;
}

/**
 * The version that a list asks for.
 *
 * @internal
 */
export interface RelistVersion {
  /** `''` for the most recent state. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
}

/**
 * The version to list at: client-go's ladder `0`, the last version, `''`, as far as `semantics` asks for nothing else.
 *
 * @internal
 */
export function relistResourceVersion(state: RelistState, semantics: ListSemantics): RelistVersion {
  const { lastResourceVersion, versionUnavailable } = state;
  if (versionUnavailable || semantics === 'mostRecent') return { resourceVersion: '' };
  if (semantics === 'any') return { resourceVersion: lastResourceVersion === '' ? '0' : lastResourceVersion };
  if ('notOlderThan' in semantics) {
    return {
      resourceVersion: lastResourceVersion === '' ? semantics.notOlderThan : lastResourceVersion,
      resourceVersionMatch: 'NotOlderThan',
    };
  }
  if (lastResourceVersion === '') return { resourceVersion: semantics.exact, resourceVersionMatch: 'Exact' };
  return { resourceVersion: lastResourceVersion };
}
