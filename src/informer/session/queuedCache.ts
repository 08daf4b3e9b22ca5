import type { OperatorFunction } from 'rxjs';
import type { ResourceChange, SourceEvent } from '../../api/events.js';
import { checkOptions } from '../../api/options.js';
import type { Indexer } from '../../cache/store/store.js';
import { deltaFifo } from '../../delta/fifo/deltaFifo.js';
import { type DeltaFifoOptions, deltaFifoRules } from '../../delta/fifo/deltaProcessor.js';
import type { ScanToIndexOptions } from '../../delta/index/scanToIndex.js';
import { processDeltas } from '../../delta/index/processDeltas.js';
import type { InformerDeltaFifoOptions } from '../informerOptions.js';
import type { InformerContext } from './informerContext.js';
import type { WritesView } from './writesView.js';

const { compress, concurrent, retryDelayMs } = deltaFifoRules;

/** @throws TypeError when the option `deltaFifo` is wrong. */
export function checkQueue(queueing: unknown): void {
  if (typeof queueing === 'object')
    checkOptions('deltaFifo', queueing as InformerDeltaFifoOptions<never>, { compress, concurrent, retryDelayMs });
}

interface QueuedCacheInit<T, U> extends Pick<InformerContext<U>, 'turns' | 'scheduler' | 'trace'> {
  readonly indexer: Indexer<U>;
  readonly tracker: { check(): void };
  readonly writes: WritesView<U> | undefined;
  readonly queueing: true | Pick<DeltaFifoOptions<T>, 'compress' | 'concurrent' | 'retryDelayMs'>;
  readonly scan: ScanToIndexOptions<T, U>;
}

/** Maintains the cache behind a queue: each item is a turn of its own, so that subscribers get it before the cache takes the next one. */
export function queuedCache<T, U>(init: QueuedCacheInit<T, U>): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  const { indexer, scheduler, trace, tracker, turns, writes, queueing, scan } = init;
  const { keyFunc, scopes, onError, ...applying } = scan;
  const apply = processDeltas<U, T>(indexer, {}, applying);
  const observed = (...[deltas, ...rest]: Parameters<typeof apply>): readonly ResourceChange<U>[] => {
    trace?.deltas(deltas);
    const changes = apply(deltas, ...rest);
    tracker.check();
    return changes;
  };
  const caughtUp = (resourceVersion: string): void => {
    apply.caughtUp(resourceVersion);
    writes?.caughtUp();
  };
  const { resource } = applying;
  const queue = { ...(queueing === true ? {} : queueing), keyFunc, scopes, resource, onError, scheduler, trampoline: turns };
  return deltaFifo(Object.assign(observed, apply, { caughtUp }), queue);
}
