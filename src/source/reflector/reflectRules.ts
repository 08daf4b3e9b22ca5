import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { ReflectOptions } from './reflectOptions.js';

const atLeast1 = rules.durationOf({ min: 1, infinite: true });

function isSemantics(value: unknown): boolean {
  if (value === 'any' || value === 'mostRecent') return true;
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return false;
  const { notOlderThan, exact } = value as { readonly notOlderThan?: unknown; readonly exact?: unknown };
  const version = notOlderThan ?? exact;
  return typeof version === 'string' && version !== '' && exact !== '0';
}

/**
 * What each option of `reflect` has to be; also the list of their names.
 *
 * @internal
 */
export const reflectRules: OptionRules<ReflectOptions> = {
  pageSize: rules.number({ integer: true, min: 0 }),
  listStrategy: rules.oneOf('auto', 'list', 'watchList'),
  listSemantics: { expected: "'any', 'mostRecent', { notOlderThan: version } or { exact: version }", holds: isSemantics },
  idleTimeoutMs: atLeast1,
  listTimeoutMs: atLeast1,
  backoff: rules.object,
  healthyWatchMs: rules.durationMs,
  veryShortWatchMs: atLeast1,
  watchTimeoutSeconds: rules.number({ integer: true, min: 1 }),
  watchListFirstFrameMs: atLeast1,
  watchListMarkerMs: atLeast1,
  watchListMemoryMs: rules.durationMs,
  watchListRefusals: { expected: 'a Map', holds: (value) => value instanceof Map },
  relistPeriodMs: rules.durationMs,
  onError: rules.function,
  internalErrorRetryMs: rules.durationMs,
  name: rules.nonEmptyString,
  trace: rules.function,
  scheduler: rules.scheduler,
  random: rules.function,
};
