import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import type { Deltas, InformerHealth, ResourceChange, ResourceEvent, SourceEvent } from '../../api/events.js';
import type { Drop } from '../../api/drops.js';
import type { InformerReadings, Trace, TraceStepBase } from '../../api/traceStep.js';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import { flattenChange } from '../../delta/share/shareWithSnapshot.js';
import { guardTrace } from '../../source/tracedSource.js';
import type { ErrorReporterOptions } from './errorReporter.js';

interface InformerTraceOptions extends Pick<ErrorReporterOptions, 'scheduler' | 'turns'> {
  readonly resource: string;
  readonly report: (error: InformerError) => void;
  readonly consumers: ReadonlyMap<{ waiting(): number }, { readonly name: string }>;
}

interface TracedInformer {
  readonly name: string;
  readonly indexer: { listKeys(): readonly string[] };
  health(): Pick<InformerHealth, 'state' | 'staleMs'>;
  hasSynced(): boolean;
  lastSyncResourceVersion(): string;
}

/** Emits the trace steps of an informer for each source event. */
export class InformerTrace {
  private readonly options: InformerTraceOptions;
  private readonly trace: Trace;
  private readonly name: string;
  /** When the source emitted the event being applied. */
  private sourceAt: number | undefined;

  constructor(trace: Trace, informer: TracedInformer, options: InformerTraceOptions) {
    const { resource, report } = options;
    this.options = options;
    this.name = informer.name;
    this.trace = guardTrace(trace, (cause) => {
      const message = `The trace of ${this.name} failed: ${messageOf(cause)}`;
      report(new InformerError({ code: 'ERR_HANDLER', message, cause, resource }));
    });
    this.trace({ stage: 'opened', ...this.base(), read: () => this.read(informer) });
  }

  closed(): void {
    this.trace({ stage: 'closed', ...this.base() });
  }

  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
    return tap((event) => {
      const base = this.base();
      this.sourceAt = base.at;
      this.trace({ stage: 'source', ...base, event });
      this.options.turns.after(this.settled);
    });
  }

  deltas(deltas: Deltas<unknown>): void {
    this.trace({ stage: 'deltas', ...this.base(), deltas });
  }

  /** @param isHeard - whether anybody gets the changes. */
  followChanges<T>(isHeard: () => boolean): MonoTypeOperatorFunction<ResourceChange<T>> {
    const cache = { next: (event: ResourceEvent<T>): void => this.trace({ stage: 'cache', ...this.base(), event }) };
    // After the change has gone on: the function of a trace may end the session.
    return (source) =>
      new Observable((subscriber) =>
        source.subscribe({
          next: (change) => {
            subscriber.next(change);
            flattenChange(change, cache);
            if (change.events.length > 0 && !isHeard())
              this.dropped({ reason: 'nobody subscribed', keys: change.events.map(({ key }) => key) });
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
  }

  dropped(drop: Drop): void {
    this.trace({ stage: 'dropped', ...this.base(), ...drop });
  }

  delivery(to: string, event: ResourceEvent<unknown>): void {
    this.trace({ stage: 'delivery', ...this.base(), to, event });
  }

  private readonly settled = (): void => {
    if (this.sourceAt === undefined) return;
    const base = this.base();
    this.trace({ stage: 'settled', ...base, lastedMs: base.at - this.sourceAt });
    this.sourceAt = undefined;
  };

  private read(informer: TracedInformer): InformerReadings {
    const { state, staleMs = Infinity } = informer.health();
    return {
      staleMs: state === 'watching' ? 0 : staleMs,
      objects: informer.indexer.listKeys().length,
      synced: informer.hasSynced(),
      resourceVersion: informer.lastSyncResourceVersion(),
      waiting: [...this.options.consumers].map(([worker, { name }]) => ({ name, events: worker.waiting() })),
    };
  }

  private base(): TraceStepBase {
    const { name, options } = this;
    return { at: options.scheduler.now(), name, resource: options.resource };
  }
}
