import { defer, type Observable, type SchedulerLike, tap } from 'rxjs';
import type { ListChunk, ListerWatcher, ListRequest, WatchChunk, WatchRequest } from '../api/listerWatcher.js';
import type { Trace, TraceEnd, TraceRequestBase } from '../api/traceStep.js';

/** The requests of a reflector, limited and traced. `look` is a list that only reads the version. */
export interface MeteredSource<T> {
  list(this: void, request: ListRequest): Observable<ListChunk<T>>;
  watch(this: void, request: WatchRequest): Observable<WatchChunk<T>>;
  look(this: void, request: ListRequest): Observable<ListChunk<T>>;
}

/** A source whose requests are traced. @internal */
export function tracedSource<T>(source: ListerWatcher<T>, name: string, trace: Trace, scheduler: SchedulerLike): MeteredSource<T> {
  const { resource = 'objects', scope = '' } = source;
  let requests = 0;

  const traced = <V>(
    verb: TraceRequestBase['verb'],
    request: ListRequest & WatchRequest,
    send: () => Observable<V>,
    arrived: (value: V, about: TraceRequestBase) => void,
  ): Observable<V> =>
    defer(() => {
      requests += 1;
      const about = { name, resource, scope, id: requests, verb };
      const startedAt = scheduler.now();
      const end = (outcome: TraceEnd['outcome'], error?: unknown): void => {
        const at = scheduler.now();
        trace({ stage: 'end', at, ...about, outcome, lastedMs: at - startedAt, ...(error !== undefined && { error }) });
      };
      trace({ stage: 'request', at: startedAt, ...about, request });
      return defer(send).pipe(
        tap({
          next: (value) => arrived(value, { at: scheduler.now(), ...about }),
          error: (error: unknown) => end('failed', error),
          complete: () => end('complete'),
          unsubscribe: () => end('aborted'),
        }),
      );
    });

  const page = ({ items, metadata }: ListChunk<T>, about: TraceRequestBase): void => trace({ stage: 'page', ...about, items, metadata });
  const lines = (events: WatchChunk<T>, about: TraceRequestBase): void =>
    events.forEach((event) => trace({ stage: 'line', ...about, event }));

  return {
    list: (request) => traced('list', request, () => source.list(request), page),
    watch: (request) => traced(request.sendInitialEvents === true ? 'watchList' : 'watch', request, () => source.watch(request), lines),
    look: (request) => traced('probe', request, () => source.list(request), page),
  };
}

/** A trace that is reported and disabled at its first error. @internal */
export function guardTrace(trace: Trace, report: (cause: unknown) => void): Trace {
  let broken = false;
  return (step) => {
    if (broken) return;
    try {
      trace(step);
    } catch (error) {
      broken = true;
      report(error);
    }
  };
}
