import type { Facts } from './facts.js';

/** What a warning is about. */
export type WarningCode =
  | 'behind'
  | 'brief-watches'
  | 'forbidden'
  | 'hot-key'
  | 'late-renewal'
  | 'memory'
  | 'no-effect'
  | 'relists'
  | 'rights'
  | 'searches'
  | 'secrets'
  | 'slow-handler'
  | 'stale'
  | 'twins'
  | 'unread';

/** Something that is wrong with a running program, in words. */
export interface Warning {
  readonly code: WarningCode;
  /** What it is about; `process` for all of the program. */
  readonly subject: { readonly kind: Facts['kind'] | 'process'; readonly name: string };
  /** What happens and why, in one or two sentences with the figures of this moment. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The page that says more, as it lies in the package. */
  readonly link: string;
}

/** The same warning goes on while its code and its subject are the same; its figures may change. */
export function warningKey({ code, subject }: Warning): string {
  return `${code} ${subject.kind} ${subject.name}`;
}
