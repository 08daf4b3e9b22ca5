import type { SchedulerLike } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { type BackoffOptions, type ReflectOptions, reflectRules } from './reflectOptions.js';

type Given = 'pageSize' | 'watchListRefusals' | 'trace' | 'name';

/**
 * The options of a reflector, complete and checked.
 *
 * @internal
 */
export interface ReflectSettings
  extends
    Required<{ readonly [Name in keyof Omit<ReflectOptions, Given | 'backoff'>]: NonNullable<ReflectOptions[Name]> }>,
    Pick<ReflectOptions, Given> {
  readonly backoff: { readonly [Name in keyof Required<BackoffOptions>]: number };
  readonly scheduler: SchedulerLike;
  /** Whether a periodic list is made beside the watch, or in its place, as a source does that cannot watch. */
  readonly relistBesideWatch: boolean;
}

const backoffRules: OptionRules<BackoffOptions> = {
  initialMs: rules.durationOf({ min: 1 }),
  maxMs: rules.durationOf({ min: 1 }),
  factor: rules.number({ min: 1 }),
  jitter: rules.number({ min: 0 }),
};

function backoffOf(owner: string, given: BackoffOptions = {}): ReflectSettings['backoff'] {
  checkOptions(`${owner}.backoff`, given, backoffRules);
  const initialMs = given.initialMs ?? defaults.backoff.initialMs;
  const maxMs = given.maxMs ?? Math.max(defaults.backoff.maxMs, initialMs);
  if (maxMs < initialMs) {
    throw new TypeError(`Expected \`maxMs\` of \`${owner}.backoff\` to be >= \`initialMs\` (${initialMs}), got ${maxMs}`);
  }
  return { initialMs, maxMs, factor: given.factor ?? defaults.backoff.factor, jitter: given.jitter ?? defaults.backoff.jitter };
}

/**
 * Checks the options and fills in the defaults.
 *
 * @param owner - the function that they are the options of.
 * @throws TypeError that names the option, what was expected and what came.
 * @internal
 */
export function reflectSettings(options: ReflectOptions, owner = 'reflect'): ReflectSettings {
  checkOptions(owner, options, reflectRules);
  const { listSemantics = 'any', listStrategy = 'auto' } = options;
  if (listStrategy === 'watchList' && typeof listSemantics === 'object' && 'exact' in listSemantics) {
    throw new TypeError(`Expected \`listStrategy\` of \`${owner}\` to be 'auto' or 'list', as \`listSemantics\` asks for an exact version`);
  }
  return {
    pageSize: options.pageSize,
    listStrategy,
    listSemantics,
    idleTimeoutMs: options.idleTimeoutMs ?? defaults.idleTimeoutMs,
    listTimeoutMs: options.listTimeoutMs ?? defaults.listTimeoutMs,
    backoff: backoffOf(owner, options.backoff),
    healthyWatchMs: options.healthyWatchMs ?? defaults.healthyWatchMs,
    veryShortWatchMs: options.veryShortWatchMs ?? defaults.veryShortWatchMs,
    watchTimeoutSeconds: options.watchTimeoutSeconds ?? defaults.watchTimeoutMinSeconds,
    watchListFirstFrameMs: options.watchListFirstFrameMs ?? defaults.watchListFirstFrameMs,
    watchListMarkerMs: options.watchListMarkerMs ?? defaults.watchListMarkerMs,
    watchListMemoryMs: options.watchListMemoryMs ?? defaults.watchListMemoryMs,
    watchListRefusals: options.watchListRefusals,
    relistPeriodMs: options.relistPeriodMs ?? 0,
    relistBesideWatch: true,
    onError: options.onError ?? (() => 'retry'),
    internalErrorRetryMs: options.internalErrorRetryMs ?? 0,
    name: options.name,
    trace: options.trace,
    scheduler: schedulerOf(options.scheduler),
    random: options.random ?? Math.random,
  };
}
