import { Observable, type OperatorFunction, type SchedulerLike, type Subscriber } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { BufferOptions } from './bufferOptions.js';
import { createEventBuffer } from './createEventBuffer.js';
import { Worker } from './worker.js';
import { follow } from '../../rx/follow.js';
import type { StoreOf } from '../storeOf.js';

interface WorkThroughOptions<T> extends BufferOptions {
  /** The store whose events they are. */
  readonly store: StoreOf<T>;
  /** The turns in which the store changes. */
  readonly turns: Trampoline;
  readonly sliceMs?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
  /** Told of each subscription's worker; what it returns is called when the subscription ends. */
  readonly onWorker?: ((worker: Worker<T>) => () => void) | undefined;
}

/** The error of a consumer whose buffer has no room. */
export function overflowError(who: string): InformerError {
  return new InformerError({ code: 'ERR_OVERFLOW', message: `${who} is too slow: its buffer has no room for another event` });
}

/**
 * Hands the events of changes to `work` one at a time, buffered as the options say; `work` calls `done` when the next one may come, at once or later.
 *
 * Completion and errors of the source do not wait: what has not been handed over is dropped.
 */
export function workThrough<T, R>(
  { store, turns, sliceMs, scheduler, onWorker, ...buffering }: WorkThroughOptions<T>,
  work: (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void,
): OperatorFunction<ResourceChange<T>, R> {
  return (source) =>
    new Observable((subscriber) => {
      const worker = new Worker<T>({
        buffer: createEventBuffer(buffering, store),
        run: (event, done) => work(event, subscriber, done),
        onOverflow: () => subscriber.error(overflowError('A subscriber')),
        turns,
        sliceMs,
        scheduler,
      });
      subscriber.add(() => worker.stop());
      subscriber.add(onWorker?.(worker));
      follow(source, subscriber, { next: (change) => worker.take(change) });
    });
}
