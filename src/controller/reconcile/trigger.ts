/**
 * What happened to make a key need work: an object came with the first list (`initial`) or later, changed, was emitted again unchanged
 * (`resync`) or left; a source named the key itself (`key`); or the loop tries again after a failure (`retry`) or because it was asked to
 * (`requeue`).
 */
export type TriggerCause = 'initial' | 'added' | 'updated' | 'resync' | 'deleted' | 'key' | 'retry' | 'requeue';

/** A key that needs work, with the reason. */
export interface Trigger {
  readonly type: 'trigger';
  readonly key: string;
  readonly cause: TriggerCause;
  /** The key of the object that it happened to: another kind's, when it came through `ownerKeys` or `mappedKeys`. */
  readonly objectKey: string;
}

/** An object whose keys could not be found out. */
export interface TriggerError {
  readonly type: 'triggerError';
  readonly objectKey: string;
  readonly error: unknown;
}

/**
 * Why a key is worked on: triggers of one source and cause since the work before are counted together, so that a storm of events stays small.
 */
export interface TriggerReason {
  /** The source's name in `sources`, or its number there; `reconcile` for retries and requeues. */
  readonly source: string;
  readonly cause: TriggerCause;
  /** The object of the last of these triggers. */
  readonly objectKey: string;
  readonly count: number;
}
