import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import type { Drop } from '../../api/drops.js';
import type { ResourceChange, ResourceEvent, SourceEvent } from '../../api/events.js';
import type { InformerReadings, Trace, TraceStepBase } from '../../api/traceStep.js';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import { expectArgument, rules } from '../../api/options.js';
import { flattenChange } from '../../delta/share/shareWithSnapshot.js';
import { guardTrace, tracedSource } from '../../source/tracedSource.js';
import type { Attached, InformerPart, PluggedInformer } from './part.js';

/** Emits the trace steps of an informer for each source event. */
class InformerTrace {
  private readonly plugged: PluggedInformer;
  private readonly trace: Trace;
  /** When the source emitted the event being applied. */
  private sourceAt: number | undefined;

  constructor(trace: Trace, plugged: PluggedInformer) {
    this.plugged = plugged;
    this.trace = trace;
    this.trace({ stage: 'opened', ...this.base(), read: () => this.read() });
    plugged.drops$.subscribe({ next: (drop) => this.dropped(drop), error: () => undefined });
  }

  closed(): void {
    this.trace({ stage: 'closed', ...this.base() });
  }

  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
    return tap((event) => {
      const base = this.base();
      this.sourceAt = base.at;
      this.trace({ stage: 'source', ...base, event });
      this.plugged.turns.after(this.settled);
    });
  }

  followChanges<T>(): MonoTypeOperatorFunction<ResourceChange<T>> {
    const cache = { next: (event: ResourceEvent<T>): void => this.trace({ stage: 'cache', ...this.base(), event }) };
    // After the change has gone on: the function of a trace may end the session.
    return (source) =>
      new Observable((subscriber) =>
        source.subscribe({
          next: (change) => {
            subscriber.next(change);
            flattenChange(change, cache);
            if (change.events.length > 0 && !this.plugged.isHeard())
              this.dropped({ reason: 'nobody subscribed', keys: change.events.map(({ key }) => key) });
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
  }

  private dropped(drop: Drop): void {
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

  private read(): InformerReadings {
    const { informer, store, consumers } = this.plugged;
    const { state, staleMs = Infinity } = informer.health();
    return {
      staleMs: state === 'watching' ? 0 : staleMs,
      objects: informer.indexer.listKeys().length,
      synced: informer.hasSynced(),
      resourceVersion: store.lastStoreSyncResourceVersion(),
      waiting: [...consumers].map(([worker, { name }]) => ({ name, events: worker.waiting() })),
    };
  }

  private base(): TraceStepBase {
    const { informer, resource, scheduler } = this.plugged;
    return { at: scheduler.now(), name: informer.name, resource };
  }
}

/**
 * Calls a function with every step of objects: requests, their answers as they are decoded, and how they end, the source events, the changes of the cache and
 * the deliveries. Without a trace there is no cost. If it throws, the error is reported (`ERR_HANDLER`) and it is not called again.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { tracing } from 'rx-informer/pipeline';
 *
 * const trace = tracing((step) => {
 *   if (step.stage === 'line') console.log(step.at, 'a line of watch', step.id, step.event.type);
 *   else if (step.stage === 'delivery') console.log(step.at, step.event.type, 'goes to', step.to);
 *   else console.log(step.at, step.stage);
 * });
 * createInformer(createClient(), resources.core.v1.pods, { parts: [trace] }).resource$.subscribe();
 * ```
 *
 * @throws TypeError when it is no function.
 */
export function tracing(trace: Trace): InformerPart {
  expectArgument('tracing', 'trace', trace, rules.function);
  return {
    part: 'tracing',
    plug: () => {
      let plugged: PluggedInformer | undefined;
      const guarded = guardTrace(trace, (cause) => {
        const { resource } = plugged ?? {};
        const message = `The trace of ${plugged?.informer.name ?? ''} failed: ${messageOf(cause)}`;
        plugged?.report(new InformerError({ code: 'ERR_HANDLER', message, cause, resource }));
      });
      const attach = (to: PluggedInformer): Attached => {
        plugged = to;
        const traced = new InformerTrace(guarded, to);
        return {
          followSource: (events) => events.pipe(traced.followSource()),
          followChanges: (changes) => changes.pipe(traced.followChanges()),
          delivered: (to, event) => traced.delivery(to, event),
          release: () => {
            traced.closed();
            return undefined;
          },
        };
      };
      return { trace: guarded, tracedSource, attach };
    },
  };
}
