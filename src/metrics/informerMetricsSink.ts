import type { InformerErrorCode } from '../api/errors/informerError.js';
import type { InitReason } from '../api/events/sourceEvent.js';
import type { InformerReadings } from '../api/events/traceStep.js';
import type { WatchEvent } from '../api/events/watchEvent.js';

/** Something in which a repeated list differed from the cache. */
export interface RelistDifference {
  readonly type: 'added' | 'updated' | 'deleted';
  /** Why the list began. */
  readonly reason: Exclude<InitReason, 'first'>;
  /**
   * The watch should have brought it: the object is no newer than the version that the watch had reached. Never set for deletions, which a list does
   * not date, nor where versions cannot be compared.
   */
  readonly missed: boolean;
}

/**
 * Where an informer, or a reflector alone, reports what happens in it; every hook may be absent. A hook must not throw.
 *
 * `traceMetrics` makes the `trace` of an informer out of it. `informerMetrics` and `prometheusInformerMetrics` have sinks that show the figures as
 * an Observable and to Prometheus.
 */
export interface InformerMetricsSink {
  /** An informer was made. `read` may be called at any time from now on; no timer runs on its behalf. */
  opened?(name: string, read: () => InformerReadings): void;
  /** An informer was stopped for good. */
  closed?(name: string): void;
  /** A list begins, in pages or streamed. */
  list?(): void;
  /** A list is complete, so long after it began. */
  listed?(durationMs: number, items: number): void;
  /** A watch begins; the rest of a streamed list is one. */
  watch?(): void;
  /** A watch is over. It was short if the server closed it within a second, before any event. */
  watched?(durationMs: number, events: number, short: boolean): void;
  /** An event came on a watch. Those of a list that is streamed do not count. */
  event?(type: WatchEvent<unknown>['type']): void;
  /** The source has reached this version. */
  resourceVersion?(version: string): void;
  /** Something failed. Called for informers only. */
  failure?(code: InformerErrorCode): void;
  /** An event of the source went through the cache and to all who take events at once, which took so long. Called for informers only. */
  processed?(durationMs: number): void;
  /** A repeated list differed from the cache. Called for informers only. */
  difference?(difference: RelistDifference): void;
}

/**
 * The readings of the informers that share a trace, by their names: objects and what waits added up, `synced` where all are, the version of the last;
 * `undefined` when there is no informer. @internal
 */
export function readTogether(readers: ReadonlyMap<string, () => InformerReadings>): InformerReadings | undefined {
  const all = [...readers.values()].map((read) => read());
  const last = all.at(-1);
  if (last === undefined) return undefined;
  return {
    objects: all.reduce((sum, { objects }) => sum + objects, 0),
    synced: all.every(({ synced }) => synced),
    resourceVersion: last.resourceVersion,
    waiting: all.flatMap(({ waiting }) => waiting),
  };
}
