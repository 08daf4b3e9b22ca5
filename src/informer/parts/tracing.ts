import { Observable, type ObservedValueOf, tap } from 'rxjs';
import type { Drop } from '../../api/drops.js';
import type { ResourceEvent } from '../../api/events.js';
import type { InformerReadings, Trace, TraceStepBase } from '../../api/traceStep.js';
import { failureOf } from '../../api/errors/informerError.js';
import { expectArgument, rules } from '../../api/options.js';
import { flattenChange } from '../../delta/share/shareWithSnapshot.js';
import { follow } from '../../rx/trampoline.js';
import { guardTrace, tracedSource } from '../../source/tracedSource.js';
import type { Attached, InformerPart, PluggedInformer } from './part.js';

/** Emits the trace steps of an informer for each source event. */
function attachTrace(trace: Trace, { informer, resource, scheduler, store, turns, consumers, drops$, isHeard }: PluggedInformer): Attached {
  /** When the source emitted the event being applied. */
  let sourceAt: number | undefined;
  const base = (): TraceStepBase => ({ at: scheduler.now(), name: informer.name, resource });
  const dropped = (drop: Drop): void => trace({ stage: 'dropped', ...base(), ...drop });
  const cached = { next: (event: ResourceEvent<unknown>): void => trace({ stage: 'cache', ...base(), event }) };
  const settled = (): void => {
    if (sourceAt === undefined) return;
    const now = base();
    trace({ stage: 'settled', ...now, lastedMs: now.at - sourceAt });
    sourceAt = undefined;
  };
  const read = (): InformerReadings => {
    const { state, staleMs = Infinity } = informer.health();
    return {
      staleMs: state === 'watching' ? 0 : staleMs,
      objects: informer.indexer.listKeys().length,
      synced: informer.hasSynced(),
      resourceVersion: store.lastStoreSyncResourceVersion(),
      waiting: [...consumers].map(([worker, { name }]) => ({ name, events: worker.waiting() })),
    };
  };
  trace({ stage: 'opened', ...base(), read });
  drops$.subscribe({ next: dropped, error: () => undefined });
  return {
    followSource: tap((event) => {
      const now = base();
      sourceAt = now.at;
      trace({ stage: 'source', ...now, event });
      turns.after(settled);
    }),
    // After the change has gone on: the function of a trace may end the session.
    followChanges: (changes) =>
      new Observable((subscriber) => {
        const next = (change: ObservedValueOf<typeof changes>): void => {
          subscriber.next(change);
          flattenChange(change, cached);
          if (change.events.length > 0 && !isHeard()) dropped({ reason: 'nobody subscribed', keys: change.events.map(({ key }) => key) });
        };
        follow(changes, subscriber, { next });
      }),
    delivered: (to, event) => trace({ stage: 'delivery', ...base(), to, event }),
    release: () => {
      trace({ stage: 'closed', ...base() });
      return undefined;
    },
  };
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
        plugged?.report(failureOf('ERR_HANDLER', `The trace of ${plugged.informer.name} failed`, cause, { resource }));
      });
      const attach = (to: PluggedInformer): Attached => {
        plugged = to;
        return attachTrace(guarded, to);
      };
      return { trace: guarded, tracedSource, attach };
    },
  };
}
