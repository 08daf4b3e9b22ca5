import type { TriggerReason } from './trigger.js';

/** A call for a key has begun. */
export interface StartedOutcome {
  readonly type: 'started';
  readonly key: string;
  /** The number of this attempt: 1 unless the previous call failed. */
  readonly attempt: number;
  readonly reasons: readonly TriggerReason[];
  /** How long the key has waited since its first trigger, in milliseconds. */
  readonly waitedMs: number;
}

/** A call for a key has succeeded. */
export interface SucceededOutcome {
  readonly type: 'succeeded';
  readonly key: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** The delay until the requested next call; an event may cause an earlier one. */
  readonly requeueAfterMs?: number;
}

/** A call for a key has failed. */
export interface FailedOutcome {
  readonly type: 'failed';
  readonly key: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** The error of the function; a `TimeoutError` after the deadline, an `AbortError` when the loop was stopped. */
  readonly error: unknown;
  /** The longest delay until the retry; absent when there is none: the loop is being stopped, or the key is given up. */
  readonly retryAfterMs?: number;
  /** Whether the key is given up until its next trigger, because of a `terminal` error or the limit of `attempts`. */
  readonly isFinal?: true;
}

/** A call has been running for `stuckAfterMs`, and continues. Emitted once per call. */
export interface StuckOutcome {
  readonly type: 'stuck';
  readonly key: string;
  readonly attempt: number;
  /** When the call began, in milliseconds of the scheduler's clock. */
  readonly since: number;
  readonly reasons: readonly TriggerReason[];
}

/** The keys of an object, or the priority, could not be computed. The source continues. */
export interface TriggerFailedOutcome {
  readonly type: 'triggerFailed';
  readonly source: string;
  readonly objectKey: string;
  readonly error: unknown;
}

/** A source has failed and triggers nothing more; the others continue. */
export interface SourceFailedOutcome {
  readonly type: 'sourceFailed';
  readonly source: string;
  readonly error: unknown;
}

/** A source has completed and triggers nothing more; the others continue. */
export interface SourceCompletedOutcome {
  readonly type: 'sourceCompleted';
  readonly source: string;
}

/** The loop has drained and stopped: its last notification. */
export interface StoppedOutcome {
  readonly type: 'stopped';
  /** The keys that needed work and did not get it: not called, aborted, or failed and not retried. */
  readonly abandoned: readonly string[];
}

/** The notifications of a control loop. */
export type Outcome =
  | StartedOutcome
  | SucceededOutcome
  | FailedOutcome
  | StuckOutcome
  | TriggerFailedOutcome
  | SourceFailedOutcome
  | SourceCompletedOutcome
  | StoppedOutcome;
