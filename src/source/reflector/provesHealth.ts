import type { Turn, WatchingState } from './state.js';

/**
 * Whether a watch is proof that the link is healthy, so that the next failure counts as the first: it brought an event, or was open for long enough.
 *
 * @internal
 */
export function provesHealth({ events, openedAt = Infinity }: WatchingState, { at, context }: Turn<unknown>): boolean {
  return events > 0 || at - openedAt >= context.settings.healthyWatchMs;
}
