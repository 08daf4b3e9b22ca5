import { concat, defer, type Observable, type SchedulerLike, tap } from 'rxjs';
import type { Trace, TraceEnd, TraceRequestBase } from '../api/traceStep.js';
import type { ListChunk, ListerWatcher, ListRequest, WatchEvent, WatchProgress, WatchRequest } from '../api/listerWatcher.js';
import { defaults } from '../api/defaults.js';
import { TokenBucket } from '../rx/tokenBucket.js';

interface TraceSettings {
  readonly trace?: Trace | undefined;
  readonly name?: string | undefined;
  readonly scheduler: SchedulerLike;
}

/** What a reflector asks: a source whose requests are counted and told to a trace. `look` is a list that only looks at the version. @internal */
export interface MeteredSource<T> {
  list(this: void, request: ListRequest): Observable<ListChunk<T>>;
  watch(this: void, request: WatchRequest): Observable<WatchEvent<T> | WatchProgress>;
  look(this: void, request: ListRequest): Observable<ListChunk<T>>;
}

/** Puts a budget of requests around a source, and a trace if there is one; `report` is told what the trace has thrown. @internal */
export function meteredSource<T>(source: ListerWatcher<T>, settings: TraceSettings, report: (cause: unknown) => void): MeteredSource<T> {
  const { trace, scheduler, name = source.resource ?? 'objects' } = settings;
  // Only a server that ends every answer at once empties it.
  const budget = new TokenBucket({ ...defaults.sourceRequests, scheduler });
  const spend = <V>(send: () => Observable<V>): Observable<V> => concat(budget.turn(), defer(send));
  const { list, watch, look } =
    trace === undefined
      ? { list: source.list.bind(source), watch: source.watch.bind(source), look: source.list.bind(source) }
      : tracedSource(source, name, guardTrace(trace, report), scheduler);
  return {
    // The pages of a list that has begun are no requests of their own: they bring the list on.
    list: (request) => (request.continue === undefined ? spend(() => list(request)) : list(request)),
    watch: (request) => spend(() => watch(request)),
    look: (request) => spend(() => look(request)),
  };
}

function tracedSource<T>(source: ListerWatcher<T>, name: string, trace: Trace, scheduler: SchedulerLike): MeteredSource<T> {
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
  const line = (event: WatchEvent<T> | WatchProgress, about: TraceRequestBase): void => {
    if (event.type !== 'PROGRESS') trace({ stage: 'line', ...about, event });
  };

  return {
    list: (request) => traced('list', request, () => source.list(request), page),
    watch: (request) => traced(request.sendInitialEvents === true ? 'watchList' : 'watch', request, () => source.watch(request), line),
    look: (request) => traced('probe', request, () => source.list(request), page),
  };
}

/** A trace whose first error is reported, and which is not called after that. @internal */
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
