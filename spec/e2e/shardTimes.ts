/** Short, so that members are missed soon; with `SHARD_TIMING=default`, those that a program has that says nothing. */
export const shardTimes: {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly drainMs: number;
} =
  process.env['SHARD_TIMING'] === 'default'
    ? { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000, drainMs: 30_000 }
    : { leaseDurationMs: 2_000, renewDeadlineMs: 1_400, retryPeriodMs: 300, drainMs: 5_000 };

/** What a member says to its parent; times are those of the machine's monotonic clock, in milliseconds. */
export type ShardReport =
  | { readonly type: 'ready'; readonly identity: string }
  /** A request of the work on a key is handed to the network. */
  | { readonly type: 'request'; readonly identity: string; readonly key: string; readonly token: number; readonly at: number }
  /** A call of `reconcile` has ended; `isValid`: the key was this member's all the time. */
  | {
      readonly type: 'call';
      readonly identity: string;
      readonly key: string;
      readonly token: number;
      readonly start: number;
      readonly end: number;
      readonly isValid: boolean;
    }
  | { readonly type: 'stale'; readonly identity: string; readonly refusedBy: string };
