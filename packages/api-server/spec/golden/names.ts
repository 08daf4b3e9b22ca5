/** The names in the replay. Those of the recording were random; these have the same lengths. */
export const golden = {
  namespace: 'cmp-replay00',
  group: 'mwr68x7v.cmp.example.com',
  token: 'admin-token',
  /** What an earlier run had left in the recorded cluster. */
  leftover: 'cmp-mwr66zyd',
} as const;
