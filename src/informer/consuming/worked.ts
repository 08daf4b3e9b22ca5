import { Observable, type Subscriber } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { InformerError } from '../../api/errors/informerError.js';
import { type OptionRules, rules } from '../../api/options.js';
import { type BufferOptions, bufferRules, createEventBuffer } from '../../delta/buffers/eventBuffer.js';
import { Worker } from '../../delta/buffers/worker.js';
import { follow } from '../../rx/trampoline.js';
import type { InformerContext } from '../session/informerContext.js';

/** Options of `events`. */
export interface EventsOptions {
  /** The longest time, in milliseconds, for which events may block the event loop; a change of more than 1,000 events begins in a new task. @defaultValue 10 */
  readonly sliceMs?: number | undefined;
  /** How often every cached object is emitted again as a `resync` update, in milliseconds; `0` for never. @defaultValue the informer's `resyncPeriodMs` */
  readonly resyncPeriodMs?: number | undefined;
}

/** Options of `process`. */
export interface ProcessOptions extends BufferOptions, EventsOptions {}

/** The rules of the options of `events`. @internal */
export const eventsRules: OptionRules<EventsOptions> = {
  sliceMs: { ...rules.number({ above: 0, infinite: true }), expected: 'a number of milliseconds > 0 or Infinity' },
  resyncPeriodMs: rules.durationMs,
};

/** The rules of the options of `process`. @internal */
export const processRules: OptionRules<ProcessOptions> = { ...eventsRules, ...bufferRules };

/** Handles an event, and calls `done` when the next one may follow. */
export type Run<T, R> = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void;

interface WorkedOptions extends BufferOptions {
  /** The consumer's name in messages, and in traces. */
  readonly who: string;
  readonly name: string;
  readonly sliceMs?: number | undefined;
}

/**
 * Passes the events of changes to `run` one at a time, buffered by the options; `run` calls `done`, at once or later, when the next one may follow.
 *
 * Completion and errors of the source are passed on at once: queued events are dropped. Fails when the buffer is full.
 */
export function worked<T, R>(
  { indexer, turns, scheduler, trace, consumers }: InformerContext<T>,
  change$: Observable<ResourceChange<T>>,
  { who, name, sliceMs, ...buffering }: WorkedOptions,
  run: Run<T, R>,
): Observable<R> {
  const message = `${who} is too slow: its buffer has no room for another event`;
  return new Observable((subscriber) => {
    const worker = new Worker<T>({
      buffer: createEventBuffer(buffering, indexer),
      run: (event, done) => run(event, subscriber, done),
      onOverflow: () => subscriber.error(new InformerError({ code: 'ERR_OVERFLOW', message })),
      ...{ turns, sliceMs, scheduler },
    });
    subscriber.add(() => worker.stop());
    subscriber.add(consumers.add(worker, who));
    subscriber.add(trace?.watch(worker, name));
    follow(change$, subscriber, { next: (change) => worker.take(change) });
  });
}
