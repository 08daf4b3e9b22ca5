/** As short as leases can be. */
export const electionTimes = { leaseDurationMs: 1_000, renewDeadlineMs: 700, retryPeriodMs: 150 } as const;

/** What a candidate says to its parent; times are those of the machine's monotonic clock, in milliseconds. */
export type CandidateReport =
  | { readonly type: 'ready'; readonly identity: string }
  | { readonly type: 'elected'; readonly identity: string; readonly token: number; readonly at: number }
  | { readonly type: 'over'; readonly identity: string; readonly token: number; readonly at: number }
  | { readonly type: 'request'; readonly identity: string; readonly token: number; readonly at: number }
  | { readonly type: 'renewed'; readonly identity: string; readonly token: number; readonly sentAt: number }
  | { readonly type: 'stale'; readonly identity: string; readonly refusedBy: string };
