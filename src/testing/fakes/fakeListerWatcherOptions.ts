import type { SchedulerLike } from 'rxjs';

/** Options of `FakeListerWatcher`. Durations are in milliseconds. */
export interface FakeListerWatcherOptions {
  /** The clock of all timers. @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike | undefined;
  /**
   * The answer to a watch that requests a streamed list: a stream (`'on'`), 422 as from servers since 1.19 (`'refused'`), or a watch
   * without a list (`'ignored'`), as from older ones. @defaultValue `'on'`
   */
  readonly watchList?: 'on' | 'refused' | 'ignored' | undefined;
  /** The period of bookmarks, in milliseconds; `Infinity` for none. @defaultValue 60000, as in a real server */
  readonly bookmarkIntervalMs?: number | undefined;
  /** The delay of each answer, in milliseconds; 0 for synchronous answers. @defaultValue 0 */
  readonly latencyMs?: number | undefined;
  /** The version before the first write. @defaultValue 1 */
  readonly resourceVersion?: number | undefined;
  /** Objects per chunk of a list's answer. @defaultValue Infinity */
  readonly chunkSize?: number | undefined;
  /** The name of the resource in errors and health. @defaultValue `'objects'` */
  readonly resource?: string | undefined;
  readonly expected?: { readonly apiVersion: string; readonly kind: string } | undefined;
}
