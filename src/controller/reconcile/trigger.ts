/**
 * Why a key needs work: an object was in the first list (`initial`), was added, updated, emitted again unchanged
 * (`resync`) or deleted; a source emitted the key itself (`key`); or the loop retries after a failure (`retry`) or was asked to call again
 * (`requeue`).
 */
export type TriggerCause = 'initial' | 'added' | 'updated' | 'resync' | 'deleted' | 'key' | 'retry' | 'requeue';

/** A key that needs work, with its cause. */
export interface Trigger {
  readonly type: 'trigger';
  readonly key: string;
  readonly cause: TriggerCause;
  /** The key of the object that the event was about: of another kind, for `ownerKeys` and `mappedKeys`. */
  readonly objectKey: string;
}

/** An object whose keys could not be computed. */
export interface TriggerError {
  readonly type: 'triggerError';
  readonly objectKey: string;
  readonly error: unknown;
}

/**
 * Why a key is processed. Triggers of the same source and cause since the last call are counted together, so that an event storm needs little memory.
 */
export interface TriggerReason {
  /** The source's name in `sources`, or its number there; `reconcile` for retries and requeues. */
  readonly source: string;
  readonly cause: TriggerCause;
  /** The object of the latest of these triggers. */
  readonly objectKey: string;
  readonly count: number;
}
