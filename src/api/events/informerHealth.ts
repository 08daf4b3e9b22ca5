import type { InformerError } from '../errors/informerError.js';

/** Whether an informer's cache is live, since when, at which version, and why not. Times are milliseconds of the informer's scheduler. */
export interface InformerHealth {
  readonly state: 'idle' | 'restored' | 'listing' | 'watching' | 'retrying' | 'stopped';
  /** When this state began. */
  readonly since: number;
  /** The version that the cache reflects; `''` before the first list. */
  readonly resourceVersion: string;
  /** Whether every scope has been listed completely in this session. */
  readonly synced: boolean;
  /** While a list is under way: how many of its objects have arrived, in all scopes. A change of it alone is not emitted: read it. */
  readonly received?: number;
  /**
   * How far the cache may be behind, at most, in milliseconds: the time since the last byte from the server, in the scope where that is longest ago; in the
   * state `restored`, the time since what is read was saved, by the wall clock. Absent before the first list is complete. A change of it alone is not emitted:
   * read it.
   */
  readonly staleMs?: number;
  readonly lastEventAt?: number;
  readonly lastBookmarkAt?: number;
  /** How many attempts in a row have failed. */
  readonly attempt?: number;
  readonly nextAttemptAt?: number;
  /** The last failure, until the link is healthy again. */
  readonly error?: InformerError;
  /** Keys whose transform fails: their last good value is in the cache. */
  readonly degraded: readonly string[];
}
