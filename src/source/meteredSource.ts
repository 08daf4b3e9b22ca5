import { concat, defer, type Observable, type SchedulerLike } from 'rxjs';
import type { Trace } from '../api/traceStep.js';
import type { ListerWatcher } from '../api/listerWatcher.js';
import { defaults } from '../api/defaults.js';
import { TokenBucket } from '../rx/tokenBucket.js';
import { guardTrace, type MeteredSource, tracedSource } from './tracedSource.js';

interface TraceSettings {
  readonly trace?: Trace | undefined;
  readonly name?: string | undefined;
  readonly scheduler: SchedulerLike;
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
