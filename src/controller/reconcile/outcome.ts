import type { TriggerReason } from './trigger.js';

/** The work on a key has begun. */
export interface StartedOutcome {
  readonly type: 'started';
  readonly key: string;
  /** Which try in a row this is: 1 unless the one before failed. */
  readonly attempt: number;
  readonly reasons: readonly TriggerReason[];
  /** How long the key has waited since its first trigger, in milliseconds. */
  readonly waitedMs: number;
}

/** The work on a key has ended well. */
export interface SucceededOutcome {
  readonly type: 'succeeded';
  readonly key: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** When it is to be called again; it may be called sooner. */
  readonly requeueAfterMs?: number;
}

/** The work on a key has failed. */
export interface FailedOutcome {
  readonly type: 'failed';
  readonly key: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** What the function threw or emitted as error; a `TimeoutError` past the deadline, an `AbortError` when the loop was stopped. */
  readonly error: unknown;
  /** When it will be tried again at the latest; absent when it will not, because the loop is being stopped. */
  readonly retryAfterMs?: number;
}

/** The work on a key has been under way for `stuckAfterMs` and goes on. Emitted once for each call. */
export interface StuckOutcome {
  readonly type: 'stuck';
  readonly key: string;
  readonly attempt: number;
  /** Since when, in milliseconds of the scheduler's clock. */
  readonly since: number;
  readonly reasons: readonly TriggerReason[];
}

/** It could not be found out which keys an object concerns, or with what priority. The source goes on. */
export interface TriggerFailedOutcome {
  readonly type: 'triggerFailed';
  readonly source: string;
  readonly objectKey: string;
  readonly error: unknown;
}

/** A source has failed and triggers nothing more; the others go on. */
export interface SourceFailedOutcome {
  readonly type: 'sourceFailed';
  readonly source: string;
  readonly error: unknown;
}

/** A source has completed and triggers nothing more; the others go on. */
export interface SourceCompletedOutcome {
  readonly type: 'sourceCompleted';
  readonly source: string;
}

/** The loop has drained and stopped: its last notification. */
export interface StoppedOutcome {
  readonly type: 'stopped';
  /** The keys that needed work and did not get it: not begun, cut off, or failed and not tried again. */
  readonly abandoned: readonly string[];
}

/** What happens in a control loop. */
export type Outcome =
  | StartedOutcome
  | SucceededOutcome
  | FailedOutcome
  | StuckOutcome
  | TriggerFailedOutcome
  | SourceFailedOutcome
  | SourceCompletedOutcome
  | StoppedOutcome;
