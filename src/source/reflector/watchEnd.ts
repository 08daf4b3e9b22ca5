/**
 * How a watch came to its end.
 *
 * - `closed`: the server closed it in an orderly way.
 * - `silent`: nothing came for so long that the connection may be dead.
 * - `unopened`: there was no sign of life at all.
 * - `failed`: the request was refused, an ERROR event came, or the connection broke.
 * - `unmarked`: a streamed list that shows no sign of ending; `why` says what was missed.
 *
 * @internal
 */
export type WatchEnd =
  | { readonly type: 'closed' | 'silent' | 'unopened' }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'unmarked'; readonly why: string };

/**
 * What is known of a watch when it ends.
 *
 * @internal
 */
export interface WatchFacts {
  /** There was a sign of life: headers, bytes or an event. */
  readonly opened: boolean;
  /** Events accepted, bookmarks included. */
  readonly eventCount: number;
  /** Since the request was sent: proxies may hold the headers back until the first event. */
  readonly lastedMs: number;
  /** Since it opened. */
  readonly openMs: number;
  /** It reached another version than it began at. */
  readonly advanced: boolean;
}
