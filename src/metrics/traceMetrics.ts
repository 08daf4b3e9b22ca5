import type { InitReason, SourceEvent } from '../api/events/sourceEvent.js';
import type { ResourceEvent } from '../api/events/resourceEvent.js';
import type { Trace, TraceEnd, TraceLine, TracePage, TraceRequest } from '../api/events/traceStep.js';
import { initialEventsEndAnnotation } from '../api/events/watchEvent.js';
import { compareResourceVersions } from '../cache/keys/compareResourceVersions.js';
import type { InformerMetricsSink, RelistDifference } from './informerMetricsSink.js';

/** client-go: a watch that ended sooner without any event is a short one. */
const shortWatchMs = 1_000;

interface WithMetadata {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  } | null;
}

function versionOf(object: unknown): string {
  return (object as WithMetadata | null | undefined)?.metadata?.resourceVersion ?? '';
}

function isListEnd(object: unknown): boolean {
  return (object as WithMetadata | null | undefined)?.metadata?.annotations?.[initialEventsEndAnnotation] === 'true';
}

/** What goes on in one source of one scope. */
class SourceMeter {
  private readonly sink: InformerMetricsSink;
  private list: { readonly startedAt: number; items: number; version: string; more: boolean } | undefined;
  private watch: { readonly startedAt: number; events: number } | undefined;

  constructor(sink: InformerMetricsSink) {
    this.sink = sink;
  }

  request({ verb, request, at }: TraceRequest): void {
    if (verb === 'watch') this.beginWatch(at);
    else if (verb === 'list' && request.continue !== undefined && this.list !== undefined) this.list.more = false;
    else {
      this.list = { startedAt: at, items: 0, version: '', more: false };
      this.sink.list?.();
    }
  }

  page({ items, metadata }: TracePage): void {
    const { list } = this;
    if (list === undefined) return;
    list.items += items.length;
    if (metadata === undefined) return;
    list.more = (metadata.continue ?? '') !== '';
    if (list.version === '') list.version = metadata.resourceVersion ?? '';
  }

  line({ at, event }: TraceLine): void {
    const version = versionOf(event.object);
    if (this.watch !== undefined) {
      this.watch.events += 1;
      this.sink.event?.(event.type);
      if (version !== '' && event.type !== 'ERROR') this.sink.resourceVersion?.(version);
    } else if (this.list !== undefined) {
      if (event.type === 'ADDED') this.list.items += 1;
      else if (event.type === 'DELETED') this.list.items -= 1;
      else if (event.type === 'BOOKMARK' && isListEnd(event.object)) {
        this.endList(at, version);
        this.beginWatch(at);
      }
    }
  }

  end({ at, outcome }: TraceEnd): void {
    const { watch, list } = this;
    if (watch !== undefined) {
      const lastedMs = at - watch.startedAt;
      this.watch = undefined;
      this.sink.watched?.(lastedMs, watch.events, outcome === 'complete' && watch.events === 0 && lastedMs < shortWatchMs);
    } else if (list !== undefined && outcome === 'complete' && list.more) {
      // The next page follows.
    } else if (list !== undefined && outcome === 'complete' && list.version !== '') {
      this.endList(at, list.version);
    } else {
      this.list = undefined;
    }
  }

  isIdle(): boolean {
    return this.watch === undefined && this.list === undefined;
  }

  private beginWatch(at: number): void {
    this.watch = { startedAt: at, events: 0 };
    this.sink.watch?.();
  }

  private endList(at: number, version: string): void {
    if (this.list !== undefined) this.sink.listed?.(at - this.list.startedAt, this.list.items);
    this.list = undefined;
    if (version !== '') this.sink.resourceVersion?.(version);
  }
}

/** What the lists of an informer find. */
class RelistMeter {
  private readonly sink: InformerMetricsSink;
  /** By scope: why its list under way began, and from which version. */
  private readonly lists = new Map<string, { readonly reason: InitReason; readonly from: string }>();
  /** Whose differences are being told. */
  private complete: { readonly reason: RelistDifference['reason']; readonly from: string } | undefined;

  constructor(sink: InformerMetricsSink) {
    this.sink = sink;
  }

  source(event: SourceEvent<unknown>): void {
    this.complete = undefined;
    if (event.type === 'init') {
      this.lists.set(event.scope, { reason: event.reason, from: event.previousResourceVersion });
    } else if (event.type === 'ready') {
      const { reason, from = '' } = this.lists.get(event.scope) ?? {};
      // In a server that was restored from a backup, all versions are older, and none was missed.
      const wentBack = (compareResourceVersions(event.resourceVersion, from) ?? 0) < 0;
      if (reason !== undefined && reason !== 'first') this.complete = { reason, from: wentBack ? '' : from };
      this.lists.delete(event.scope);
    }
  }

  cache(event: ResourceEvent<unknown>): void {
    if (this.complete === undefined || event.type === 'synced' || !event.inferred) return;
    const { reason, from } = this.complete;
    const age = event.type === 'deleted' ? undefined : compareResourceVersions(versionOf(event.object), from);
    this.sink.difference?.({ type: event.type, reason, missed: age !== undefined && age <= 0 });
  }
}

/** What goes on in one informer, or in a source without one. */
class InformerMeter {
  readonly relists: RelistMeter;
  isClosed = false;
  private readonly sink: InformerMetricsSink;
  private readonly sources = new Map<string, SourceMeter>();

  constructor(sink: InformerMetricsSink) {
    this.sink = sink;
    this.relists = new RelistMeter(sink);
  }

  /** Whether nothing is to come any more. */
  isOver(): boolean {
    return this.isClosed && [...this.sources.values()].every((source) => source.isIdle());
  }

  request(step: TraceRequest | TracePage | TraceLine | TraceEnd): void {
    let source = this.sources.get(step.scope);
    if (source === undefined) {
      source = new SourceMeter(this.sink);
      this.sources.set(step.scope, source);
    }
    if (step.stage === 'request') source.request(step);
    else if (step.stage === 'page') source.page(step);
    else if (step.stage === 'line') source.line(step);
    else source.end(step);
  }
}

/**
 * Makes the `trace` of an informer, or of `reflect`, that reports to a sink of one's own: for OpenTelemetry, StatsD, or a log.
 *
 * ```text
 * steps   request  page  end   request  line  line  end       opened   source  cache  settled
 * sink    list           listed watch   event event watched   opened                  processed
 * ```
 *
 * One trace may serve several informers of different names, those of a factory for example, and they are counted together; or one subscription to
 * `reflect`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { traceMetrics } from 'rx-informer/metrics';
 *
 * const trace = traceMetrics({ listed: (durationMs, items) => console.log(`${items} pods in ${durationMs} ms`) });
 * createInformer(createClient(), resources.core.v1.pods, { trace }).resource$.subscribe();
 * ```
 *
 * @see client-go's `MetricsProvider` in tools/cache/reflector_metrics.go
 */
export function traceMetrics(sink: InformerMetricsSink): Trace {
  const meters = new Map<string, InformerMeter>();
  const meterOf = (name: string): InformerMeter => {
    const known = meters.get(name);
    if (known !== undefined) return known;
    const meter = new InformerMeter(sink);
    meters.set(name, meter);
    return meter;
  };
  return (step) => {
    const meter = meterOf(step.name);
    switch (step.stage) {
      case 'request':
      case 'page':
      case 'line':
      case 'end':
        if (step.verb !== 'probe') meter.request(step);
        if (step.stage === 'end' && meter.isOver()) meters.delete(step.name);
        break;
      case 'source':
        meter.relists.source(step.event);
        if (step.event.type === 'status' && step.event.error !== undefined) sink.failure?.(step.event.error.code);
        break;
      case 'cache':
        meter.relists.cache(step.event);
        break;
      case 'settled':
        sink.processed?.(step.lastedMs);
        break;
      case 'opened':
        meter.isClosed = false;
        sink.opened?.(step.name, step.read);
        break;
      case 'closed':
        // Its requests end after this.
        meter.isClosed = true;
        if (meter.isOver()) meters.delete(step.name);
        sink.closed?.(step.name);
        break;
      case 'deltas':
      case 'delivery':
        break;
    }
  };
}
