import { concat, defer, type Observable } from 'rxjs';
import type { ListerWatcher } from '../api/listerWatcher.js';
import { defaults } from '../api/defaults.js';
import { TokenBucket } from '../rx/tokenBucket.js';
import type { ReflectSettings } from './reflector/reflectOptions.js';
import { guardTrace, type MeteredSource, tracedSource } from './tracedSource.js';

/** Limits the requests of a source, and traces them if there is a trace; `report` gets the error of a trace that threw. @internal */
export function meteredSource<T>(
  source: ListerWatcher<T>,
  settings: Pick<ReflectSettings, 'trace' | 'name' | 'scheduler'>,
  report: (cause: unknown) => void,
): MeteredSource<T> {
  const { trace, scheduler, name = source.resource ?? 'objects' } = settings;
  // Only a server that ends every answer at once exhausts it.
  const budget = new TokenBucket({ ...defaults.sourceRequests, scheduler });
  const spend = <V>(send: () => Observable<V>): Observable<V> => concat(budget.turn(), defer(send));
  const { list, watch, look } =
    trace === undefined
      ? { list: source.list.bind(source), watch: source.watch.bind(source), look: source.list.bind(source) }
      : tracedSource(source, name, guardTrace(trace, report), scheduler);
  return {
    // Later pages of a list do not count: they make progress.
    list: (request) => (request.continue === undefined ? spend(() => list(request)) : list(request)),
    watch: (request) => spend(() => watch(request)),
    look: (request) => spend(() => look(request)),
  };
}
