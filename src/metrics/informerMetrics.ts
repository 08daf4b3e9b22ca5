import type { Observable, SchedulerLike } from 'rxjs';
import type { InformerErrorCode } from '../api/errors/informerError.js';
import type { InformerReadings, Trace } from '../api/traceStep.js';
import type { WatchEvent } from '../api/listerWatcher.js';
import { type DurationFigures, Durations, figuresEvery } from './figures.js';
import { readTogether, type RelistDifference, traceMetrics } from './traceMetrics.js';

/** The number of differences found by repeated lists. */
export interface DifferenceFigures {
  readonly added: number;
  readonly updated: number;
  readonly deleted: number;
  /** How many of those added and updated the watch should have emitted, since they are not newer than the version that it had reached. */
  readonly missed: number;
}

/** The figures of one informer, or of those that share a trace, at one moment. Counters start at 0 with the informer. */
export interface InformerFigures extends InformerReadings {
  /** The number of lists begun. */
  readonly lists: number;
  /** The durations of complete lists. */
  readonly listDuration: DurationFigures;
  /** The number of objects in the last complete list. */
  readonly listItems: number;
  /** The number of watches begun. */
  readonly watches: number;
  /** How many watches the server closed within a second, before any event. */
  readonly shortWatches: number;
  /** The durations of watches that have ended. */
  readonly watchDuration: DurationFigures;
  /** The number of watch events by type. */
  readonly events: Readonly<Record<WatchEvent<unknown>['type'], number>>;
  /** The number of failures of the source by code. */
  readonly failures: Readonly<Partial<Record<InformerErrorCode, number>>>;
  /** The time from a source event until the cache and all synchronous subscribers have processed it. */
  readonly processing: DurationFigures;
  /** The differences between repeated lists and the cache, by the reason of the list: `period` for `relistPeriodMs`. */
  readonly differences: Readonly<Record<RelistDifference['reason'], DifferenceFigures>>;
}

/** Options of `informerMetrics`. */
export interface InformerMetricsOptions {
  /**
   * How often `figures$` emits, in milliseconds.
   *
   * @defaultValue 500
   */
  readonly intervalMs?: number | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Collects the figures of one informer, or of all informers of a factory. */
export interface InformerMetrics {
  /** Pass it to the informer, to a factory, or to `reflect`, as `trace`. */
  readonly trace: Trace;
  /** The figures now. */
  read(): InformerFigures;
  /** The figures on subscription, then periodically. No timer runs without a subscriber. */
  readonly figures$: Observable<InformerFigures>;
}

const noDifferences: DifferenceFigures = { added: 0, updated: 0, deleted: 0, missed: 0 };
const nothing: InformerReadings = { objects: 0, synced: false, resourceVersion: '', waiting: [] };

/** Counts trace steps, and computes the figures. */
function informerCounter(): { readonly trace: Trace; readonly read: () => InformerFigures } {
  const informers = new Map<string, () => InformerReadings>();
  const counts = { lists: 0, listItems: 0, watches: 0, shortWatches: 0 };
  const [listDuration, watchDuration, processing] = [new Durations(), new Durations(), new Durations()];
  const events = { ADDED: 0, MODIFIED: 0, DELETED: 0, BOOKMARK: 0, ERROR: 0 };
  const failures: Partial<Record<InformerErrorCode, number>> = {};
  const differences = { expired: noDifferences, error: noDifferences, period: noDifferences };
  let resourceVersion = '';
  const trace = traceMetrics({
    opened: (name, read) => void informers.set(name, read),
    closed: (name) => void informers.delete(name),
    list: () => (counts.lists += 1),
    listed: (ms, items) => {
      listDuration.add(ms);
      counts.listItems = items;
    },
    watch: () => (counts.watches += 1),
    watched: (ms, _, short) => {
      watchDuration.add(ms);
      if (short) counts.shortWatches += 1;
    },
    event: (type) => (events[type] += 1),
    resourceVersion: (version) => (resourceVersion = version),
    failure: (code) => (failures[code] = (failures[code] ?? 0) + 1),
    processed: (ms) => processing.add(ms),
    difference: ({ type, reason, missed }) => {
      const before = differences[reason];
      differences[reason] = { ...before, [type]: before[type] + 1, missed: before.missed + (missed ? 1 : 0) };
    },
  });
  const read = (): InformerFigures => ({
    ...(readTogether(informers) ?? { ...nothing, resourceVersion }),
    ...counts,
    events: { ...events },
    failures: { ...failures },
    differences: { ...differences },
    listDuration: listDuration.read(),
    watchDuration: watchDuration.read(),
    processing: processing.read(),
  });
  return { trace, read };
}

/**
 * Shows the figures of one informer, or of a factory's informers together, as an Observable.
 *
 * ```text
 * figures$   x----x----x----      on subscription, then every `intervalMs`; never completes
 * ```
 *
 * Each notification contains all figures since the informer was created. With `reflect` instead of an informer, it counts lists, watches and their events.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { informerMetrics } from 'rx-informer/metrics';
 *
 * const metrics = informerMetrics({ intervalMs: 10_000 });
 * const pods = createInformer(createClient(), resources.core.v1.pods, { trace: metrics.trace, relistPeriodMs: 600_000 });
 * pods.start();
 * metrics.figures$.subscribe(({ objects, synced, differences }) => console.log(objects, synced, differences.period.missed));
 * ```
 *
 * @throws TypeError when an option is wrong.
 *
 * @see client-go's `InformerMetricsProvider`
 */
export function informerMetrics(options: InformerMetricsOptions = {}): InformerMetrics {
  const { trace, read } = informerCounter();
  return { trace, read, figures$: figuresEvery('informerMetrics', options, read) };
}
