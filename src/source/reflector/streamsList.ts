import type { ListSemantics } from '../pages/listSemantics.js';

/**
 * What decides whether a list is streamed over a watch.
 *
 * @internal
 */
export interface StreamsListFacts {
  readonly strategy: 'auto' | 'list' | 'watchList';
  readonly semantics: ListSemantics;
  /** `false`: the source says that it cannot. */
  readonly supported: boolean | undefined;
  /** The server has shown that it cannot; not asked again before this time. */
  readonly refusedUntil: number | undefined;
  readonly now: number;
  /** No list has been complete yet. */
  readonly first: boolean;
}

/**
 * Whether a list is streamed over a watch instead of being asked for page by page. An exact version, which only the first list can be asked for,
 * cannot be streamed.
 *
 * @internal
 */
export function streamsList({ strategy, semantics, supported, refusedUntil = -Infinity, now, first }: StreamsListFacts): boolean {
  if (strategy !== 'auto') return strategy === 'watchList';
  const exact = typeof semantics === 'object' && 'exact' in semantics && first;
  return !exact && supported !== false && refusedUntil <= now;
}
