import { concat, defer, ignoreElements, Observable, type ObservableInput, type OperatorFunction, tap } from 'rxjs';
import type { Deltas } from '../../api/events/delta.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { deltaFifo } from '../../delta/fifo/deltaFifo.js';
import { type DeltaFifoOptions, deltaFifoRules } from '../../delta/fifo/deltaFifoOptions.js';
import type { DeltaProcessor } from '../../delta/fifo/deltaProcessor.js';
import { processDeltas, type StoreProcessor } from '../../delta/index/processDeltas.js';
import type { ScanToIndexOptions } from '../../delta/index/scanToIndexOptions.js';
import type { InformerContext } from './informerContext.js';

/** How an informer works through a DeltaFIFO. */
export interface InformerDeltaFifoOptions<T> extends Pick<DeltaFifoOptions<T>, 'compress' | 'concurrent' | 'retryDelayMs'> {
  /**
   * Something slow to do before the cache takes what has happened to an object: the cache waits until the result completes, and what comes meanwhile
   * queues up, compressed. When it fails, the failure is on `error$` (`ERR_HANDLER`), the key is in `health().degraded`, and it is called again after
   * `retryDelayMs`, with what is newest by then. In a deletion that was missed, `object` is the cached one.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function, which may return a promise as well
  readonly prepare?: ((deltas: Deltas<T>) => ObservableInput<unknown> | void) | undefined;
}

const { compress, concurrent, retryDelayMs } = deltaFifoRules;

/** The rules of these options. @internal */
export const informerDeltaFifoRules: OptionRules<InformerDeltaFifoOptions<never>> = {
  ...{ compress, concurrent, retryDelayMs },
  prepare: rules.function,
};

interface DeltaFifoStageContext<T, U> extends Pick<InformerContext<U>, 'indexer' | 'scheduler' | 'activity' | 'turns'> {
  readonly scan: ScanToIndexOptions<T, U>;
  /** Takes note of the deltas of each key when they are taken from the queue. */
  readonly onDeltas: ((deltas: Deltas<unknown>) => void) | undefined;
  /** Takes note that a key may have come to or left `degraded`. */
  readonly onDegraded: () => void;
}

/** Makes each item a turn of its own, behind something slow, if there is any. */
function inTurns<T, U>(
  apply: StoreProcessor<T, U>,
  prepare: InformerDeltaFifoOptions<T>['prepare'],
  { activity, turns, onDeltas, onDegraded, scan: { degraded } }: DeltaFifoStageContext<T, U>,
): DeltaProcessor<T, ResourceChange<U>> {
  const inTurn = (changesOf: () => readonly ResourceChange<U>[]): Observable<ResourceChange<U>> =>
    new Observable((subscriber) => {
      turns.run(() => {
        if (subscriber.closed) return;
        for (const change of changesOf()) subscriber.next(change);
        onDegraded();
        subscriber.complete();
      });
    });

  const preparation = (deltas: Deltas<T>): Observable<never> =>
    defer(() => {
      const result = prepare?.(deltas);
      return activity.track(result) ?? result ?? [];
    }).pipe(
      ignoreElements(),
      tap({
        error: () => {
          for (const { key } of deltas.slice(0, 1)) degraded?.add(key);
          onDegraded();
        },
      }),
    );

  const process: DeltaProcessor<T, ResourceChange<U>> = (deltas, isInInitialList, context) => {
    onDeltas?.(deltas);
    const application = inTurn(() => apply(deltas, isInInitialList, context));
    return prepare === undefined ? application : concat(preparation(deltas), application);
  };
  return Object.assign(process, {
    knownObjects: apply.knownObjects,
    listed: (...boundary: Parameters<typeof apply.listed>) => inTurn(() => apply.listed(...boundary)),
    caughtUp: (resourceVersion: string) => apply.caughtUp(resourceVersion),
  });
}

/** Makes what stands between source and subscribers of an informer that was told to use a DeltaFIFO. */
export function deltaFifoStage<T, U>(
  { prepare, ...options }: InformerDeltaFifoOptions<T>,
  context: DeltaFifoStageContext<T, U>,
): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  const { indexer, scan, scheduler } = context;
  const { keyFunc, scopes, resource, onError, ...applying } = scan;
  return (source) =>
    defer(() => {
      const apply = processDeltas<U, T>(indexer, {}, { ...applying, resource });
      const process = inTurns(apply, prepare, context);
      // An object whose preparation failed must not stay away from the cache until it changes again.
      return source.pipe(deltaFifo(process, { ...options, keyFunc, scopes, resource, onError, scheduler, retryOnError: true }));
    });
}
