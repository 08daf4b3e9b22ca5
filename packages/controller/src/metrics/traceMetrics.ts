import {
  compareResourceVersions,
  defaults,
  entryOf,
  initialEventsEndAnnotation,
  resourceVersionOf,
  type InformerErrorCode,
  type InformerReadings,
  type InitReason,
  type TraceEnd,
  type TraceLine,
  type TracePage,
  type TraceRequest,
  type WatchEvent,
} from 'rx-informer/internal';
import type { SourceEvent, Trace } from 'rx-informer/pipeline';
import type { KubernetesObject, ResourceEvent } from 'rx-informer';

/** A difference between a repeated list and the cache. */
export interface RelistDifference {
  readonly type: 'added' | 'updated' | 'deleted';
  /** The reason for the list. */
  readonly reason: Exclude<InitReason, 'first'>;
  /**
   * Whether the watch should have emitted it: the object is not newer than the version that the watch had reached. Never set for deletions, whose
   * versions are unknown, nor where versions cannot be compared.
   */
  readonly missed: boolean;
}

/**
 * Gets the measurements of an informer, or of a reflector alone; every method is optional. A method must not throw.
 *
 * `traceMetrics` makes the `trace` of an informer from it. `prometheusInformerMetrics` has such a sink for Prometheus.
 */
export interface InformerMetricsSink {
  /** An informer was created. `read` may be called at any time from now on; it uses no timer. */
  opened?(name: string, read: () => InformerReadings): void;
  /** An informer was stopped for good. */
  closed?(name: string): void;
  /** A list begins, in pages or streamed. */
  list?(): void;
  /** A list is complete; `durationMs` is the time since it began. */
  listed?(durationMs: number, items: number): void;
  /** A watch begins; the rest of a streamed list is one. */
  watch?(): void;
  /** A watch has ended. It was short if the server closed it within a second, before any event. */
  watched?(durationMs: number, events: number, short: boolean): void;
  /** An event arrived on a watch. Those of a streamed list do not count. */
  event?(type: WatchEvent<unknown>['type']): void;
  /** The source has reached this version. */
  resourceVersion?(version: string): void;
  /** Something failed. Called for informers only. */
  failure?(code: InformerErrorCode): void;
  /** A source event was processed by the cache and all synchronous subscribers, in this time. Called for informers only. */
  processed?(durationMs: number): void;
  /** A repeated list differed from the cache. Called for informers only. */
  difference?(difference: RelistDifference): void;
}

const versionOf = (object: unknown): string => resourceVersionOf(object) ?? '';

function isListEnd(object: unknown): boolean {
  return (object as KubernetesObject | null | undefined)?.metadata?.annotations?.[initialEventsEndAnnotation] === 'true';
}

interface ListMeter {
  readonly startedAt: number;
  items: number;
  version: string;
  /** Another page follows. */
  more: boolean;
}

interface WatchMeter {
  readonly startedAt: number;
  events: number;
}

/** The requests of one source of one scope. There may be several: a list may run beside a watch. */
class SourceMeter {
  private readonly sink: InformerMetricsSink;
  /** The list in pages. */
  private paged: ListMeter | undefined;
  /** By id: a streamed list, or a watch. */
  private readonly streams = new Map<number, ListMeter | WatchMeter>();

  constructor(sink: InformerMetricsSink) {
    this.sink = sink;
  }

  request({ verb, request, at, id }: TraceRequest): void {
    if (verb === 'watch') this.beginWatch(id, at);
    else if (verb === 'watchList') this.streams.set(id, this.beginList(at));
    else if (request.continue !== undefined && this.paged !== undefined) this.paged.more = false;
    else this.paged = this.beginList(at);
  }

  page({ items, metadata }: TracePage): void {
    const { paged } = this;
    if (paged === undefined) return;
    paged.items += items.length;
    if (metadata === undefined) return;
    paged.more = (metadata.continue ?? '') !== '';
    if (paged.version === '') paged.version = metadata.resourceVersion ?? '';
  }

  line({ at, event, id }: TraceLine): void {
    const version = versionOf(event.object);
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if ('events' in stream) {
      stream.events += 1;
      this.sink.event?.(event.type);
      if (version !== '' && event.type !== 'ERROR') this.sink.resourceVersion?.(version);
    } else if (event.type === 'ADDED') {
      stream.items += 1;
    } else if (event.type === 'DELETED') {
      stream.items -= 1;
    } else if (event.type === 'BOOKMARK' && isListEnd(event.object)) {
      this.endList(stream, at, version);
      this.beginWatch(id, at);
    }
  }

  end({ at, outcome, id, verb }: TraceEnd): void {
    if (verb === 'list') {
      this.endPage(at, outcome);
      return;
    }
    const stream = this.streams.get(id);
    this.streams.delete(id);
    if (stream === undefined || !('events' in stream)) return;
    const lastedMs = at - stream.startedAt;
    this.sink.watched?.(lastedMs, stream.events, outcome === 'complete' && stream.events === 0 && lastedMs < defaults.veryShortWatchMs);
  }

  isIdle(): boolean {
    return this.paged === undefined && this.streams.size === 0;
  }

  private beginWatch(id: number, at: number): void {
    this.streams.set(id, { startedAt: at, events: 0 });
    this.sink.watch?.();
  }

  private beginList(at: number): ListMeter {
    this.sink.list?.();
    return { startedAt: at, items: 0, version: '', more: false };
  }

  private endPage(at: number, outcome: TraceEnd['outcome']): void {
    const { paged } = this;
    if (paged === undefined || (outcome === 'complete' && paged.more)) return;
    if (outcome === 'complete' && paged.version !== '') this.endList(paged, at, paged.version);
    this.paged = undefined;
  }

  private endList({ startedAt, items }: ListMeter, at: number, version: string): void {
    this.sink.listed?.(at - startedAt, items);
    if (version !== '') this.sink.resourceVersion?.(version);
  }
}

/** The state of one informer, or of a source without one. */
class InformerMeter {
  /** Whether there is an informer, which is not closed yet. */
  isOpen = false;
  private readonly sink: InformerMetricsSink;
  private readonly sources = new Map<string, SourceMeter>();
  /** By scope: the reason of the current list, and the version before it. */
  private readonly lists = new Map<string, { readonly reason: InitReason; readonly from: string }>();
  /** The list whose differences are being emitted. */
  private complete: { readonly reason: RelistDifference['reason']; readonly from: string } | undefined;

  constructor(sink: InformerMetricsSink) {
    this.sink = sink;
  }

  /** Whether nothing more will happen. */
  isOver(): boolean {
    return !this.isOpen && this.sources.size === 0;
  }

  request(step: TraceRequest | TracePage | TraceLine | TraceEnd): void {
    const source = entryOf(this.sources, step.scope, () => new SourceMeter(this.sink));
    if (step.stage === 'request') source.request(step);
    else if (step.stage === 'page') source.page(step);
    else if (step.stage === 'line') source.line(step);
    else source.end(step);
    // Namespaces come and go.
    if (source.isIdle()) this.sources.delete(step.scope);
  }

  source(event: SourceEvent<unknown>): void {
    this.complete = undefined;
    if (event.type === 'init') {
      this.lists.set(event.scope, { reason: event.reason, from: event.previousResourceVersion });
    } else if (event.type === 'ready') {
      const { reason, from = '' } = this.lists.get(event.scope) ?? {};
      // After a restore from a backup, all versions are lower: then nothing was missed.
      const wentBack = (compareResourceVersions(event.resourceVersion, from) ?? 0) < 0;
      if (reason !== undefined && reason !== 'first') this.complete = { reason, from: wentBack ? '' : from };
      this.lists.delete(event.scope);
    } else if (event.type === 'status' && event.error !== undefined) {
      this.sink.failure?.(event.error.code);
    }
  }

  cache(event: ResourceEvent<unknown>): void {
    if (this.complete === undefined || event.type === 'synced' || !event.inferred) return;
    const { reason, from } = this.complete;
    const age = event.type === 'deleted' ? undefined : compareResourceVersions(versionOf(event.object), from);
    this.sink.difference?.({ type: event.type, reason, missed: age !== undefined && age <= 0 });
  }
}

/**
 * Makes the `trace` of an informer, or of `reflect`, that reports to a custom sink: for StatsD, or a log.
 *
 * ```text
 * steps   request  page  end   request  line  line  end       opened   source  cache  settled
 * sink    list           listed watch   event event watched   opened                  processed
 * ```
 *
 * One trace may serve several informers of different names, for example of a factory, which are counted together; or one subscription to
 * `reflect`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { tracing } from 'rx-informer/pipeline';
 * import { traceMetrics } from '@rx-informer/controller/metrics';
 *
 * const trace = traceMetrics({ listed: (durationMs, items) => console.log(`${items} pods in ${durationMs} ms`) });
 * createInformer(createClient(), resources.core.v1.pods, { parts: [tracing(trace)] }).resource$.subscribe();
 * ```
 *
 * @see client-go's `MetricsProvider` in tools/cache/reflector_metrics.go
 */
export function traceMetrics(sink: InformerMetricsSink): Trace {
  return meteredTrace(sink).trace;
}

/** The trace of `traceMetrics`, with the informers that it has state of, by name. @internal */
export interface MeteredTrace {
  readonly trace: Trace;
  readonly meters: ReadonlyMap<string, unknown>;
}

/** Makes the trace of `traceMetrics`. An informer is forgotten when it is closed and its last request has ended; what follows begins nothing. @internal */
export function meteredTrace(sink: InformerMetricsSink): MeteredTrace {
  const meters = new Map<string, InformerMeter>();
  const meterOf = (name: string): InformerMeter => entryOf(meters, name, () => new InformerMeter(sink));
  const trace: Trace = (step) => {
    switch (step.stage) {
      case 'request':
      case 'page':
      case 'line':
      case 'end':
        if (step.verb !== 'probe') meterOf(step.name).request(step);
        break;
      case 'source':
        meters.get(step.name)?.source(step.event);
        break;
      case 'cache':
        meters.get(step.name)?.cache(step.event);
        break;
      case 'settled':
        sink.processed?.(step.lastedMs);
        break;
      case 'opened':
        meterOf(step.name).isOpen = true;
        sink.opened?.(step.name, step.read);
        break;
      case 'closed':
        // Its requests end after this.
        meterOf(step.name).isOpen = false;
        sink.closed?.(step.name);
        break;
      case 'dropped':
      case 'delivery':
        break;
    }
    if (meters.get(step.name)?.isOver() === true) meters.delete(step.name);
  };
  return { trace, meters };
}
