import { defer, EMPTY, finalize, identity, NEVER, type Observable, type OperatorFunction, takeUntil, tap, timer } from 'rxjs';
import type { ResourceChange, SourceEvent } from '../../api/events.js';
import { scanToIndex } from '../../delta/index/scanToIndex.js';
import type { ScanToIndexOptions } from '../../delta/index/objectIntake.js';
import { trampoline } from '../../rx/trampoline.js';
import { type SharedChanges, shareWithSnapshot } from '../../delta/share/shareWithSnapshot.js';
import type { InformerOptions } from '../informerOptions.js';
import type { ErrorReporter } from './errorReporter.js';
import type { HealthTracker } from './healthTracker.js';
import type { InformerContext } from './informerContext.js';
import type { WritesView } from './writesView.js';
import { errorOf } from '../../api/errors/informerError.js';
import { queuedCache } from './queuedCache.js';

interface InformerParts<T, U>
  extends
    Pick<InformerOptions<T, U>, 'deltaFifo' | 'idleGraceMs'>,
    Pick<InformerContext<U>, 'indexer' | 'turns' | 'scheduler' | 'activity' | 'clock' | 'trace'> {
  readonly event$: Observable<SourceEvent<T>>;
  /** Its entry in the registry while it is open. */
  readonly running: { begin(): () => void };
  readonly scan: ScanToIndexOptions<T, U>;
  readonly errors: ErrorReporter;
  readonly tracker: HealthTracker;
  readonly writes: WritesView<U> | undefined;
  readonly isEnded: () => boolean;
  /** Emits when the informer is stopped. */
  readonly stop$: Observable<void>;
  /** Called when the source has ended, by itself or because of `stop$`, before the subscribers get the end. */
  readonly end: (error?: Error) => void;
}

/** The operator that maintains the cache and emits its changes. */
function keepCache<T, U>(parts: InformerParts<T, U>, isKnown: () => boolean): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  const { indexer, deltaFifo: queueing = false } = parts;
  return (source) =>
    defer(() => {
      const scan = { ...parts.scan, known: isKnown() };
      if (queueing === false) return source.pipe(scanToIndex(indexer, scan));
      return source.pipe(queuedCache({ ...parts, queueing, scan }));
    });
}

/** Connects the source of an informer, its cache, and its subscribers. Subscribed to the source while there are subscribers. */
export function informerChanges<T, U>(parts: InformerParts<T, U>): SharedChanges<U> {
  const { event$, running, indexer, turns, scheduler, errors, tracker, clock, trace, writes, isEnded, stop$, end, idleGraceMs = 0 } = parts;
  const cached$ = defer(() => (isEnded() ? EMPTY : event$.pipe(finalize(running.begin())))).pipe(
    trampoline(turns),
    trace?.followSource<T>() ?? identity,
    errors.followSource<T>(),
    tracker.followSource<T>(),
    writes?.followSource<T>() ?? identity,
    keepCache(parts, () => shared$.hasChanged()),
  );
  const change$ = cached$.pipe(
    tracker.followChanges<U>(),
    trace?.followChanges<U>() ?? identity,
    writes?.followChanges() ?? identity,
    clock.tick(),
    // eslint-disable-next-line rxjs-x/no-unsafe-takeuntil -- the operators behind it must see the end, of the source or of the informer
    takeUntil(stop$),
    tap({ error: (error: unknown) => end(errorOf(error)), complete: () => end() }),
  );
  const whenLastHasLeft = idleGraceMs === 0 ? true : () => (idleGraceMs === Infinity ? NEVER : timer(idleGraceMs, scheduler));
  const shared$ = shareWithSnapshot<U>(indexer, { trampoline: turns, scheduler, resetOnRefCountZero: whenLastHasLeft })(change$);
  return shared$;
}
