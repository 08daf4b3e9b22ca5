import type { Facts } from '../facts.js';

/** The kinds of warnings. */
export type WarningCode =
  | 'behind'
  | 'brief-watches'
  | 'degraded'
  | 'failing-controller'
  | 'failing-handler'
  | 'forbidden'
  | 'hot-key'
  | 'late-renewal'
  | 'memory'
  | 'no-effect'
  | 'queue'
  | 'relists'
  | 'rights'
  | 'searches'
  | 'secrets'
  | 'slow-handler'
  | 'stale'
  | 'subscribers'
  | 'twins'
  | 'unread'
  | 'waiting';

/** A problem of a running program, in words. */
export interface Warning {
  readonly code: WarningCode;
  /** What has the problem; `process` for the whole program. */
  readonly subject: { readonly kind: Facts['kind'] | 'process'; readonly name: string };
  /** The problem and its cause, in one or two sentences with current figures. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The documentation page, by its path in the repository. */
  readonly link: string;
}
