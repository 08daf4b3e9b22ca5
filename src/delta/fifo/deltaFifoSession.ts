import type { Subscriber } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { DeltaFifoOptions } from './deltaFifoOptions.js';
import { DeltaIntake } from './deltaIntake.js';
import type { DeltaProcessor } from './deltaProcessor.js';
import { DeltaPump } from './deltaPump.js';
import { DeltaQueue } from './deltaQueue.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { createObjectIntake } from '../index/objectIntake.js';
import { createTakenObjects } from './takenObjects.js';

/**
 * One subscription of `deltaFifo`: what comes in goes to the queue, and what the queue has goes through the process.
 */
export class DeltaFifoSession<T, R> {
  private readonly subscriber: Subscriber<R>;
  private readonly options: DeltaFifoOptions<T>;
  private readonly queue: DeltaQueue<T>;
  private readonly intake: DeltaIntake<T>;
  private readonly pump: DeltaPump<T, R>;
  /** What went wrong while an event was being queued. */
  private readonly problems: InformerError[] = [];

  constructor(subscriber: Subscriber<R>, process: DeltaProcessor<T, R>, options: DeltaFifoOptions<T>) {
    const { keyFunc, resource = 'objects', compress = 'duplicateDeletes', scopes } = options;
    const { concurrent = 1, retryOnError = false, retryDelayMs = 1_000 } = options;
    const objects = createObjectIntake<T, T>({ keyFunc, resource, onError: (error) => this.problems.push(error) });
    const taken = createTakenObjects<T>();
    const knownObjects = options.knownObjects ?? process.knownObjects ?? taken;
    this.subscriber = subscriber;
    this.options = options;
    this.queue = new DeltaQueue<T>({
      compress,
      knownObjects,
      onUnreadable: (key, error) => {
        objects.report('ERR_KEY', `The known object of ${resource} ${JSON.stringify(key)} could not be read`, error, key);
      },
    });
    this.intake = new DeltaIntake({ queue: this.queue, keyOf: (object) => objects.keyOf(object), scopes });
    let reached = '';
    this.pump = new DeltaPump<T, R>({
      queue: this.queue,
      subscriber,
      process: (item, isInInitialList, context) => {
        if (knownObjects === taken) taken.note(item);
        return process(item.deltas, isInInitialList, context);
      },
      listed: (boundary) => process.listed?.(boundary),
      caughtUp: () => {
        if (this.intake.resourceVersion === reached) return;
        reached = this.intake.resourceVersion;
        process.caughtUp?.(reached);
      },
      onError: (error, lost) => this.tell(error, lost),
      concurrent,
      retryOnError,
      retryDelayMs,
      scheduler: schedulerOf(options.scheduler),
      resource,
    });
  }

  accept(event: SourceEvent<T>): void {
    const boundary = this.intake.accept(event);
    if (boundary !== undefined) this.pump.mark(boundary);
    this.goOn();
  }

  /** Queues every known object anew. Before the first list, nobody has been told of any. */
  resync(): void {
    if (!this.pump.synced) return;
    this.queue.pushKnown();
    this.goOn();
  }

  end(): void {
    this.pump.end();
  }

  private goOn(): void {
    for (const problem of this.problems.splice(0)) this.tell(problem, true);
    this.pump.run();
  }

  private tell(error: InformerError, lost: boolean): void {
    const { onError } = this.options;
    try {
      if (onError !== undefined) onError(error);
      else if (lost) this.subscriber.error(error);
    } catch (thrown) {
      this.subscriber.error(thrown);
    }
  }
}
