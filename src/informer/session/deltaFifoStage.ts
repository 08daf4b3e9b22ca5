import { defer, Observable, type OperatorFunction } from 'rxjs';
import type { Deltas } from '../../api/events/delta.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { deltaFifo } from '../../delta/fifo/deltaFifo.js';
import { type DeltaFifoOptions, deltaFifoRules } from '../../delta/fifo/deltaFifoOptions.js';
import type { DeltaProcessor } from '../../delta/fifo/deltaProcessor.js';
import { processDeltas } from '../../delta/index/processDeltas.js';
import type { ScanToIndexOptions } from '../../delta/index/scanToIndexOptions.js';
import type { InformerContext } from './informerContext.js';

/** How an informer works through a DeltaFIFO. */
export type InformerDeltaFifoOptions<T> = Pick<DeltaFifoOptions<T>, 'compress' | 'concurrent' | 'retryDelayMs'>;

const { compress, concurrent, retryDelayMs } = deltaFifoRules;

/** The rules of these options. @internal */
export const informerDeltaFifoRules: OptionRules<InformerDeltaFifoOptions<never>> = { compress, concurrent, retryDelayMs };

interface DeltaFifoStageContext<T, U> extends Pick<InformerContext<U>, 'indexer' | 'scheduler' | 'turns'> {
  readonly scan: ScanToIndexOptions<T, U>;
  /** Takes note of the deltas of each key when they are taken from the queue. */
  readonly onDeltas: ((deltas: Deltas<unknown>) => void) | undefined;
  /** Takes note that a key may have come to or left `degraded`. */
  readonly onDegraded: () => void;
  /** Takes note that everything that has come in is in the cache. */
  readonly onCaughtUp: (() => void) | undefined;
}

/** `deltaFifo(processDeltas(indexer))`, with each item as a turn of its own: its subscribers are told before the cache takes the next one. */
export function deltaFifoStage<T, U>(
  options: InformerDeltaFifoOptions<T>,
  { indexer, scan, scheduler, turns, onDeltas, onDegraded, onCaughtUp }: DeltaFifoStageContext<T, U>,
): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
  const { keyFunc, scopes, resource, onError, ...applying } = scan;
  const inTurn = (changesOf: () => readonly ResourceChange<U>[]): Observable<ResourceChange<U>> =>
    new Observable((subscriber) => {
      turns.run(() => {
        if (subscriber.closed) return;
        for (const change of changesOf()) subscriber.next(change);
        onDegraded();
        subscriber.complete();
      });
    });
  return (source) =>
    defer(() => {
      const apply = processDeltas<U, T>(indexer, {}, { ...applying, resource });
      const process: DeltaProcessor<T, ResourceChange<U>> = Object.assign(
        (...[deltas, ...rest]: Parameters<typeof apply>) => {
          onDeltas?.(deltas);
          return inTurn(() => apply(deltas, ...rest));
        },
        {
          knownObjects: apply.knownObjects,
          listed: (...boundary: Parameters<typeof apply.listed>) => inTurn(() => apply.listed(...boundary)),
          caughtUp: (resourceVersion: string) => {
            apply.caughtUp(resourceVersion);
            onCaughtUp?.();
          },
        },
      );
      return source.pipe(deltaFifo(process, { ...options, keyFunc, scopes, resource, onError, scheduler }));
    });
}
