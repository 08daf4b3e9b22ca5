import { from, type Observable, type ObservableInput } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { checkOptions, describeValue } from '../../api/options.js';
import { handlerError } from '../session/errorReporter.js';
import type { InformerContext } from '../session/informerContext.js';
import { type EventsOptions, eventsRules, type ProcessOptions, processRules, type Run, worked } from './worked.js';

const defaultSliceMs = 10;

/** Runs work for one event. A failure is reported, and ends the work for that event only. */
function runnerOf<T, R>(
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  { activity, report, trace }: Pick<InformerContext<T>, 'activity' | 'report' | 'trace'>,
): Run<T, R> {
  return (event, subscriber, done) => {
    const fail = (error: unknown): void => {
      report(handlerError('The work', error, event));
      done();
    };
    trace?.delivery('process()', event);
    try {
      const result = activity.call(() => work(event));
      const promise = activity.track(result) as Promise<R> | undefined;
      subscriber.add(from(promise ?? result).subscribe({ next: (value) => subscriber.next(value), error: fail, complete: done }));
    } catch (error) {
      fail(error);
    }
  };
}

/** The changes of an informer, with resync updates at the consumer's own period. */
export type ChangesOf<T> = (resyncPeriodMs: number | undefined) => Observable<ResourceChange<T>>;

/** The events of an informer, emitted in slices. @throws TypeError when an option is wrong. */
export function slicedEvents<T>(
  context: InformerContext<T>,
  options: EventsOptions,
  changesOf: ChangesOf<T>,
): Observable<ResourceEvent<T>> {
  checkOptions('events', options, eventsRules);
  const { sliceMs = defaultSliceMs, resyncPeriodMs } = options;
  const consumer = { who: 'A subscriber of events()', name: 'events()', sliceMs };
  return worked<T, ResourceEvent<T>>(context, changesOf(resyncPeriodMs), consumer, (event, subscriber, done) => {
    context.trace?.delivery('events()', event);
    subscriber.next(event);
    done();
  });
}

/** The results of work for the events of an informer, one event at a time. @throws TypeError when an option is wrong. */
export function processed<T, R>(
  context: InformerContext<T>,
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  options: ProcessOptions,
  changesOf: ChangesOf<T>,
): Observable<R> {
  if (typeof work !== 'function') throw new TypeError(`Expected \`work\` of \`process\` to be a function, got ${describeValue(work)}`);
  checkOptions('process', options, processRules);
  const { resyncPeriodMs, ...buffering } = options;
  const consumer = { who: 'A subscriber of process()', name: 'process()', ...buffering };
  return worked(context, changesOf(resyncPeriodMs), consumer, runnerOf(work, context));
}
