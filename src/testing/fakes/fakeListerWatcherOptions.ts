import type { SchedulerLike } from 'rxjs';

/** Options of `FakeListerWatcher`. Durations are in milliseconds. */
export interface FakeListerWatcherOptions {
  /** Drives everything that takes time. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /**
   * What it does when a watch asks for a streamed list: serve it (`'on'`, the default), answer 422 as servers since 1.19 do (`'refused'`), or not
   * understand the wish (`'ignored'`), as older ones.
   */
  readonly watchList?: 'on' | 'refused' | 'ignored' | undefined;
  /** Default 60,000, as in a real server; `Infinity` for none. */
  readonly bookmarkIntervalMs?: number | undefined;
  /** How long each answer is on its way; 0 (the default) for synchronous answers. */
  readonly latencyMs?: number | undefined;
  /** The version before the first write. Default 1. */
  readonly resourceVersion?: number | undefined;
  /** Objects per part of a list's answer. Default: all in one. */
  readonly chunkSize?: number | undefined;
  readonly resource?: string | undefined;
  readonly expected?: { readonly apiVersion: string; readonly kind: string } | undefined;
}
