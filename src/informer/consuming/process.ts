import { from, Observable, type ObservableInput, type Subscriber } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import { checkOptions, describeValue, type OptionRules, rules } from '../../api/options.js';
import { type BufferOptions, bufferRules, createEventBuffer } from '../../delta/buffers/eventBuffer.js';
import { Worker } from '../../delta/buffers/worker.js';
import { follow } from '../../rx/trampoline.js';
import { handlerError } from '../session/errorReporter.js';
import type { Consumer, InformerContext } from '../session/informerContext.js';

/** Options of `events`. */
export interface EventsOptions {
  /** The longest time, in milliseconds, for which events may block the event loop; a change of more than 1,000 events begins in a new task. @defaultValue 10 */
  readonly sliceMs?: number | undefined;
  /** How often every cached object is emitted again as a `resync` update, in milliseconds; `0` for never. @defaultValue the informer's `resyncPeriodMs` */
  readonly resyncPeriodMs?: number | undefined;
}

/** Options of `process`. */
export interface ProcessOptions extends BufferOptions, EventsOptions {}

const eventsRules: OptionRules<EventsOptions> = {
  sliceMs: { ...rules.number({ above: 0, infinite: true }), expected: 'a number of milliseconds > 0 or Infinity' },
  resyncPeriodMs: rules.durationMs,
};

/** The rules of the options of `process`. @internal */
export const processRules: OptionRules<ProcessOptions> = { ...eventsRules, ...bufferRules };

/** Handles an event, and calls `done` when the next one may follow. */
type Run<T, R> = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void;

interface WorkedOptions extends BufferOptions, Consumer {
  readonly sliceMs?: number | undefined;
}

/** Notes that a call of a consumer has failed. */
export function noteFailure({ failures }: Pick<Consumer, 'failures'>, cause: unknown): void {
  failures.failed += 1;
  failures.failure = messageOf(cause);
}

/**
 * Passes the events of changes to `run` one at a time, buffered by the options; `run` calls `done`, at once or later, when the next one may follow.
 *
 * Completion and errors of the source are passed on at once: queued events are dropped. Fails when the buffer is full.
 */
export function worked<T, R>(
  { indexer, turns, scheduler, consumers }: InformerContext<T>,
  change$: Observable<ResourceChange<T>>,
  { who, name, failures, sliceMs, ...buffering }: WorkedOptions,
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
    consumers.set(worker, { who, name, failures });
    subscriber.add(() => consumers.delete(worker));
    follow(change$, subscriber, { next: (change) => worker.take(change) });
  });
}

const defaultSliceMs = 10;

/** Runs work for one event. A failure is reported, and ends the work for that event only. */
function runnerOf<T, R>(
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  { activity, report, delivered }: Pick<InformerContext<T>, 'activity' | 'report' | 'delivered'>,
  consumer: Pick<Consumer, 'failures'>,
): Run<T, R> {
  return (event, subscriber, done) => {
    const fail = (error: unknown): void => {
      noteFailure(consumer, error);
      report(handlerError('The work', error, event));
      done();
    };
    delivered?.('process()', event);
    try {
      const result = activity.call(() => work(event));
      const promise = activity.track(result) as Promise<R> | undefined;
      subscriber.add(from(promise ?? result).subscribe({ next: (value) => subscriber.next(value), error: fail, complete: done }));
    } catch (error) {
      fail(error);
    }
  };
}

/** The events of an informer, emitted in slices. @throws TypeError when an option is wrong. */
export function slicedEvents<T>(context: InformerContext<T>, options: EventsOptions): Observable<ResourceEvent<T>> {
  checkOptions('events', options, eventsRules);
  const { sliceMs = defaultSliceMs, resyncPeriodMs } = options;
  const consumer = { who: 'A subscriber of events()', name: 'events()', failures: { failed: 0 }, sliceMs };
  return worked<T, ResourceEvent<T>>(context, context.changesOf(resyncPeriodMs), consumer, (event, subscriber, done) => {
    context.delivered?.('events()', event);
    subscriber.next(event);
    done();
  });
}

/** The results of work for the events of an informer, one event at a time. @throws TypeError when an option is wrong. */
export function processed<T, R>(
  context: InformerContext<T>,
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  options: ProcessOptions,
): Observable<R> {
  if (typeof work !== 'function') throw new TypeError(`Expected \`work\` of \`process\` to be a function, got ${describeValue(work)}`);
  checkOptions('process', options, processRules);
  const { resyncPeriodMs, ...buffering } = options;
  const consumer = { who: 'A subscriber of process()', name: 'process()', failures: { failed: 0 }, ...buffering };
  return worked(context, context.changesOf(resyncPeriodMs), consumer, runnerOf(work, context, consumer));
}
