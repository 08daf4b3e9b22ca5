import type { SchedulerLike } from 'rxjs';

/** Options of `FakeListerWatcher`. Durations are in milliseconds. */
export interface FakeListerWatcherOptions {
  /** Drives everything that takes time. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
  /**
   * What it does when a watch asks for a streamed list: serve it (`'on'`, the default), answer 422 as servers since 1.19 do (`'refused'`), or not
   * understand the wish (`'ignored'`), as older ones.
   */
  readonly watchList?: 'on' | 'refused' | 'ignored';
  /** Default 60,000, as in a real server; `Infinity` for none. */
  readonly bookmarkIntervalMs?: number;
  /** How long each answer is on its way; 0 (the default) for synchronous answers. */
  readonly latencyMs?: number;
  /** The version before the first write. Default 1. */
  readonly resourceVersion?: number;
  /** Objects per part of a list's answer. Default: all in one. */
  readonly chunkSize?: number;
  readonly resource?: string;
  readonly expected?: { readonly apiVersion: string; readonly kind: string };
}
