import { defer, type Observable, type SchedulerLike, tap } from 'rxjs';
import type { ListChunk, ListerWatcher, ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import type { Trace, TraceEnd, TraceRequestBase } from '../../api/events/traceStep.js';
import type { WatchEvent, WatchProgress } from '../../api/events/watchEvent.js';
import { guardTrace } from './guardTrace.js';

type About = Omit<TraceRequestBase, 'at'>;

interface TraceSettings {
  readonly trace: Trace | undefined;
  readonly name: string | undefined;
  readonly scheduler: SchedulerLike;
}

/**
 * A source whose every request is told to a trace, step by step; `probe` is for lists that only look at the version.
 *
 * @internal
 */
export interface TracedSource<T> {
  readonly source: ListerWatcher<T>;
  readonly probe: Pick<ListerWatcher<T>, 'list'>;
}

/**
 * Puts a trace around a source, if there is one.
 *
 * @param report - Is told what the trace has thrown.
 * @internal
 */
export function traceRequests<T>(
  source: ListerWatcher<T>,
  { trace, scheduler, name = source.resource ?? 'objects' }: TraceSettings,
  report: (cause: unknown) => void,
): TracedSource<T> {
  return trace === undefined ? { source, probe: source } : tracedSource(source, name, guardTrace(trace, report), scheduler);
}

function tracedSource<T>(source: ListerWatcher<T>, name: string, trace: Trace, scheduler: SchedulerLike): TracedSource<T> {
  const { resource = 'objects', scope = '', expected, watchList } = source;
  let requests = 0;

  const traced = <V>(
    verb: TraceRequestBase['verb'],
    request: ListRequest & WatchRequest,
    send: () => Observable<V>,
    arrived: (value: V, about: TraceRequestBase) => void,
  ): Observable<V> =>
    defer(() => {
      requests += 1;
      const about: About = { name, resource, scope, id: requests, verb };
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
    source: {
      resource,
      scope,
      ...(expected !== undefined && { expected }),
      ...(watchList !== undefined && { watchList }),
      list: (request) => traced('list', request, () => source.list(request), page),
      watch: (request) => traced(request.sendInitialEvents === true ? 'watchList' : 'watch', request, () => source.watch(request), line),
    },
    probe: { list: (request) => traced('probe', request, () => source.list(request), page) },
  };
}
