import type { Figures } from 'rx-informer/internal';
import type { BusyKey } from './reconcile/busyKeys.js';
import type { FailingKey } from './reconcile/failureBackoff.js';

/** The figures of a control loop. */
export interface ControllerFigures extends Figures {
  readonly kind: 'controller';
  readonly phase: string;
  /** The time since it began, in milliseconds. */
  readonly forMs: number;
  /** The names of the caches that it waits for. */
  readonly waitsFor: readonly string[];
  readonly waiting: number;
  /** The number of delayed keys. */
  readonly delayed: number;
  readonly running: readonly { readonly key: string; readonly forMs: number; readonly attempt: number }[];
  readonly failing: readonly FailingKey[];
  readonly succeeded: number;
  readonly failed: number;
  /** The key with the most calls within a minute, this one or the last. */
  readonly busiest?: BusyKey | undefined;
}

/** The figures of a candidate for a lease. */
export interface ElectorFigures extends Figures {
  readonly kind: 'elector';
  readonly lease: string;
  readonly identity: string;
  readonly leads: boolean;
  readonly holder: string;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** The number of renewals that were late by half of the slack between period and deadline, the time of the last one, and the longest pause. */
  readonly late: number;
  readonly lateAt?: number | undefined;
  readonly longestPauseMs: number;
  readonly error?: Error | undefined;
}

/** The figures of a member of a group of shards. */
export interface ShardFigures extends Figures {
  readonly kind: 'shards';
  readonly identity: string;
  readonly active: boolean;
  readonly slots: number;
  readonly members: readonly string[];
}
