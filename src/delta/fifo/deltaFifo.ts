import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { checkOptions } from '../../api/options/checkOptions.js';
import { describeValue } from '../../api/options/describeValue.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { type DeltaFifoOptions, deltaFifoRules } from './deltaFifoOptions.js';
import type { DeltaProcessor } from './deltaProcessor.js';
import { follow } from '../../rx/follow.js';
import type { InformerError } from '../../api/errors/informerError.js';
import { DeltaIntake } from './deltaIntake.js';
import { DeltaPump } from './deltaPump.js';
import { DeltaQueue, type QueuedItem } from './deltaQueue.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { createObjectIntake } from '../index/objectIntake.js';
import type { KnownObjects } from './knownObjects.js';

/** What has been handed to a process that does not say what it knows. */
interface TakenObjects<T> extends KnownObjects<T> {
  note(item: QueuedItem<T>): void;
}

function createTakenObjects<T>(): TakenObjects<T> {
  const objects = new Map<string, T>();
  return {
    listKeys: () => [...objects.keys()],
    getByKey: (key) => objects.get(key),
    note: ({ key, deltas }) => {
      const newest = deltas.at(-1);
      if (newest === undefined || newest.type === 'Deleted') objects.delete(key);
      else objects.set(key, newest.object);
    },
  };
}

/** One subscription of `deltaFifo`: what comes in goes to the queue, and what the queue has goes through the process. */
class DeltaFifoSession<T, R> {
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

/**
 * Puts a queue with one entry per object between a source and a process that is slower: the source never waits, and the process gets what has
 * happened to an object since it last looked, all at once.
 *
 * ```text
 * source   init page(a b) ready    ~a1   ~a2   -b
 * process                    [a]------|[b]---------|[~a1 ~a2]-----|[-b]--|
 * result                              r            r'              r'' ...
 * ```
 *
 * - Items are processed one at a time, in the order in which their keys came into the queue; `concurrent` allows several, never two of one key.
 *   What the results of `process` emit is emitted here.
 * - A list is collected until its `ready`, then queued in one step: each object as `Replaced`, then a `Deleted` with `finalStateUnknown` for each
 *   object of its scope that is queued, being processed or known, and not in the list. A list that is never complete leaves no trace.
 * - Watch events become `Added`, `Updated` and `Deleted`; the deletion of what is neither queued nor known is ignored. Bookmarks become no deltas:
 *   the newest version of all is passed to `process.caughtUp` whenever nothing waits. Status events are left out.
 * - `isInInitialList` is true until everything that was queued with the first list (of each scope) has been processed. `process.listed` is called
 *   then, and at the same point of every later list.
 * - Unlike `scanToIndex`, a store behind this operator changes object by object, also while a list is processed.
 * - Errors: see `onError`. An error of the source ends the result at once, its completion when everything queued has been processed.
 *   Unsubscribing unsubscribes from what is being processed and drops what waits.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, deltaFifo, processDeltas, reflect, shareWithSnapshot, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * const indexer = createIndexer<KubernetesObject>();
 * const changes = reflect(pods).pipe(deltaFifo(processDeltas(indexer), { onError: console.error }), shareWithSnapshot(indexer));
 * changes.subscribe(({ cause, events }) => console.log(cause, events.length));
 * ```
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { deltaFifo, reflect, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * declare function save(key: string, object: KubernetesObject | undefined): Promise<void>;
 * reflect(pods)
 *   .pipe(
 *     deltaFifo(
 *       async (deltas) => {
 *         const newest = deltas.at(-1);
 *         if (newest !== undefined) await save(newest.key, newest.type === 'Deleted' ? undefined : newest.object);
 *       },
 *       { compress: 'latest', retryOnError: true },
 *     ),
 *   )
 *   .subscribe();
 * ```
 *
 * @throws TypeError naming the option that is wrong.
 *
 * @see client-go: `DeltaFIFO` and `Controller`
 */
export function deltaFifo<T, R>(process: DeltaProcessor<T, R>, options: DeltaFifoOptions<T> = {}): OperatorFunction<SourceEvent<T>, R> {
  if (typeof process !== 'function')
    throw new TypeError(`Expected \`process\` of \`deltaFifo\` to be a function, got ${describeValue(process)}`);
  checkOptions('deltaFifo', options, deltaFifoRules);
  return (source) =>
    new Observable((subscriber) => {
      const session = new DeltaFifoSession(subscriber, process, options);
      const resyncs = options.resync$?.subscribe({
        next: () => session.resync(),
        error: (error: unknown) => subscriber.error(error),
      });
      subscriber.add(resyncs);
      follow(source, subscriber, {
        next: (event) => session.accept(event),
        complete: () => session.end(),
      });
    });
}
