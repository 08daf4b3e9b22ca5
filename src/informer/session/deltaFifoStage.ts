import { concat, defer, ignoreElements, Observable, type ObservableInput, type OperatorFunction, tap } from 'rxjs';
import type { Deltas } from '../../api/events/delta.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { deltaFifo } from '../../delta/fifo/deltaFifo.js';
import type { DeltaFifoOptions } from '../../delta/fifo/deltaFifoOptions.js';
import type { DeltaProcessor } from '../../delta/fifo/deltaProcessor.js';
import { processDeltas, type StoreProcessor } from '../../delta/index/processDeltas.js';
import type { ScanToIndexOptions } from '../../delta/index/scanToIndexOptions.js';
import { type Activity, isPromiseLike } from './activity.js';

/**
 * How an informer works through a DeltaFIFO.
 */
export interface InformerDeltaFifoOptions<T> extends Pick<DeltaFifoOptions<T>, 'compress' | 'concurrency' | 'retryDelayMs'> {
  /**
   * Something slow to do before the cache takes what has happened to an object: the cache waits until the result completes, and what comes meanwhile
   * queues up, compressed. When it fails, the failure is on `error$` (`ERR_HANDLER`), the key is in `health().degraded`, and it is called again after
   * `retryDelayMs`, with what is newest by then. In a deletion that was missed, `object` is the cached one.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function, which may return a promise as well
  readonly prepare?: ((deltas: Deltas<T>) => ObservableInput<unknown> | void) | undefined;
}

/**
 * What the stage has to know of its informer.
 */
export interface DeltaFifoStageContext<T, U> {
  readonly indexer: Indexer<U>;
  readonly scan: ScanToIndexOptions<T, U>;
  readonly scheduler: DeltaFifoOptions<T>['scheduler'];
  /** Knows of promises under way. */
  readonly activity: Activity;
  /** Carries out a change of the cache and tells everybody; whatever has to follow a change, follows. */
  readonly change: (work: () => void) => void;
  /** Is told of the deltas of each key when their turn has come. */
  readonly listener: { readonly deltas?: ((deltas: Deltas<unknown>) => void) | undefined };
}

/** Tells the deltas before they are processed, where somebody wants to know. */
function told<T, R>(process: DeltaProcessor<T, R>, tell: ((deltas: Deltas<unknown>) => void) | undefined): DeltaProcessor<T, R> {
  if (tell === undefined) return process;
  const telling: DeltaProcessor<T, R> = (deltas, isInInitialList, context) => {
    tell(deltas);
    return process(deltas, isInInitialList, context);
  };
  return Object.assign(telling, process);
}

/** Puts something slow before a process. Then the change does not happen while the source tells of it, and is a change of its own. */
function prepared<T, U>(
  apply: StoreProcessor<T, U>,
  prepare: NonNullable<InformerDeltaFifoOptions<T>['prepare']>,
  { activity, change, scan: { degraded } }: DeltaFifoStageContext<T, U>,
): DeltaProcessor<T, ResourceEvent<U>> {
  const inChange = (eventsOf: () => readonly ResourceEvent<U>[]): Observable<ResourceEvent<U>> =>
    new Observable((subscriber) => {
      change(() => {
        for (const event of eventsOf()) subscriber.next(event);
      });
      subscriber.complete();
    });

  const preparation = (deltas: Deltas<T>): Observable<never> =>
    defer(() => {
      const result = prepare(deltas);
      if (isPromiseLike(result)) activity.track(result);
      return result ?? [];
    }).pipe(ignoreElements(), tap({ error: () => change(() => deltas.slice(0, 1).forEach(({ key }) => degraded?.add(key))) }));

  const process: DeltaProcessor<T, ResourceEvent<U>> = (deltas, isInInitialList, context) =>
    concat(
      preparation(deltas),
      inChange(() => apply(deltas, isInInitialList, context)),
    );
  return Object.assign(process, {
    knownObjects: apply.knownObjects,
    listed: (...boundary: Parameters<typeof apply.listed>) => inChange(() => apply.listed(...boundary)),
    caughtUp: (resourceVersion: string) => change(() => apply.caughtUp(resourceVersion)),
  });
}

/**
 * Makes what stands between source and subscribers of an informer that was told to use a DeltaFIFO.
 */
export function deltaFifoStage<T, U>(
  { prepare, ...options }: InformerDeltaFifoOptions<T>,
  context: DeltaFifoStageContext<T, U>,
): OperatorFunction<SourceEvent<T>, ResourceEvent<U>> {
  const { indexer, scan, scheduler, listener } = context;
  const { keyFunc, scopes, resource, onError, ...applying } = scan;
  return (source) =>
    defer(() => {
      const apply = processDeltas<U, T>(indexer, {}, { ...applying, resource });
      const process = prepare === undefined ? apply : prepared(apply, prepare, context);
      // An object whose preparation failed must not stay away from the cache until it changes again.
      return source.pipe(
        deltaFifo(told(process, listener.deltas), { ...options, keyFunc, scopes, resource, onError, scheduler, retryOnError: true }),
      );
    });
}
