import { defer, Observable, type ObservableInput, type OperatorFunction, type Subscriber, timer } from 'rxjs';
import { endOf, failureOf, type InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events.js';
import { compareResourceVersions } from '../../api/kubernetesObject.js';
import { checkOptions, expectArgument, rules } from '../../api/options.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { keyFor } from '../index/cachedObjects.js';
import { type IncomingList, type Scope, Scopes, type Step } from '../index/scopes.js';
import {
  type DeltaFifoOptions,
  deltaFifoRules,
  type DeltaProcessor,
  type ListBoundary,
  type ProcessContext,
  RequeueError,
} from './deltaProcessor.js';
import { DeltaQueue, type QueuedItem } from './deltaQueue.js';

/** The newest object of each key of a list that is being received. */
class QueuedList<T> implements IncomingList<T> {
  readonly values = new Map<string, T>();
  readonly add = (key: string, object: T): unknown => this.values.set(key, object);
  readonly remove = (key: string): unknown => this.values.delete(key);
}

/**
 * One subscription of `deltaFifo`: queues what the source emits, and processes up to `concurrent` items at a time.
 *
 * A list is collected beside the queue, and queued in one step when it is complete.
 */
class DeltaFifoSession<T, R> {
  private readonly subscriber: Subscriber<R>;
  // eslint-disable-next-line rxjs-x/finnish -- it is a function
  private readonly processor: DeltaProcessor<T, R>;
  private readonly options: DeltaFifoOptions<T>;
  private readonly resource: string;
  private readonly queue: DeltaQueue<T, ListBoundary>;
  private readonly scopes: Scopes<T, QueuedList<T>>;
  /** The objects last handed to a process without `knownObjects`. */
  private readonly taken: Map<string, T> | undefined;
  private readonly problems: InformerError[] = [];
  /** The newest version up to which every change has been queued. */
  private resourceVersion = '';
  /** Whether the source has reported a version since the last `caughtUp`. The version may be the same: each scope has its own. */
  private hasAdvanced = false;
  /** Whether a list that may be older than what came before it has been queued since the queue was last empty: then equal versions may have different contents. */
  private isDoubtful = false;
  private ending = false;
  /** Whether the first list of every scope has been processed. */
  private synced = false;

  constructor(subscriber: Subscriber<R>, process: DeltaProcessor<T, R>, options: DeltaFifoOptions<T>) {
    const {
      keyFunc,
      resource = 'objects',
      compress = 'duplicateDeletes',
      scopes,
      knownObjects = process.knownObjects,
      concurrent = 1,
    } = options;
    const taken = new Map<string, T>();
    this.subscriber = subscriber;
    this.processor = process;
    this.options = options;
    this.resource = resource;
    this.taken = knownObjects === undefined ? taken : undefined;
    this.queue = new DeltaQueue({
      compress,
      knownObjects: knownObjects ?? { listKeys: () => [...taken.keys()], getByKey: (key) => taken.get(key) },
      onUnreadable: (key, error) => {
        this.keyProblem(`The known object of ${resource} ${JSON.stringify(key)} could not be read`, error, key);
      },
      concurrency: () => (subscriber.closed ? 0 : concurrent),
      item: (item) => this.beginItem(item),
      mark: (boundary) => this.beginBoundary(boundary),
      idle: () => this.caughtUp(),
    });
    this.scopes = new Scopes<T, QueuedList<T>>({
      declared: scopes,
      presentKeys: () => this.queue.presentKeys(),
      keyOf: (object, givenKey) => {
        try {
          return keyFor(object, givenKey, keyFunc);
        } catch (error) {
          this.keyProblem(`An object of ${resource} has no key and is left out`, error);
          return undefined;
        }
      },
      begin: () => new QueuedList<T>(),
    });
  }

  next(event: SourceEvent<T>): void {
    const step = this.scopes.read(event);
    if (step !== undefined) this.enqueue(step);
    this.continue();
  }

  /** Queues every known object as `Sync`. Does nothing before the first list has been processed. */
  resync(): void {
    if (!this.synced) return;
    this.queue.pushKnown();
    this.continue();
  }

  /** The source has completed: completes when everything queued has been processed. */
  end(): void {
    this.ending = true;
    this.queue.run();
  }

  private enqueue(step: Step<T, QueuedList<T>>): void {
    const { scope } = step;
    if (step.do === 'publish') this.queue.mark(this.enqueueList(scope, step.list, step.resourceVersion));
    else if (step.do === 'reach') this.reach(scope, step.resourceVersion);
    else {
      const { key, event } = step;
      const { type, object, resourceVersion, reason, key: givenKey } = event;
      const { queue } = this;
      this.reach(scope, resourceVersion);
      if (this.scopes.move(scope, key, event)) return;
      if (type !== 'deleted')
        queue.push({ type: type === 'added' ? 'Added' : 'Updated', key, object, ...(givenKey !== undefined && { isCurrent: false }) });
      else if (reason === undefined) queue.pushDeletion({ type: 'Deleted', key, object, finalStateUnknown: false });
      else queue.pushDeletion({ type: 'Deleted', key, object: undefined, finalStateUnknown: true, reason });
    }
  }

  private reach(scope: Scope<QueuedList<T>>, resourceVersion: string): void {
    if (resourceVersion === '' || !scope.ready || scope.incoming !== undefined) return;
    scope.resourceVersion = resourceVersion;
    this.resourceVersion = resourceVersion;
    this.hasAdvanced = true;
  }

  private enqueueList(scope: Scope<QueuedList<T>>, list: QueuedList<T>, resourceVersion: string): ListBoundary {
    const { queue, scopes } = this;
    const previousResourceVersion = scope.previousResourceVersion || scope.resourceVersion;
    const vanished = scopes.vanished(scope, list);
    const order = resourceVersion === scope.resourceVersion ? 0 : compareResourceVersions(resourceVersion, scope.resourceVersion);
    this.isDoubtful ||= !scope.ready || order === undefined || order < 0;
    const current = scope.isKeyed ? { isCurrent: false } : this.isDoubtful ? {} : { isCurrent: true };
    for (const [key, object] of list.values) queue.push({ type: 'Replaced', key, object, ...current });
    for (const key of vanished) queue.pushVanished(key);
    for (const key of [...list.values.keys(), ...vanished]) scopes.inherited.delete(key);
    scopes.settle(scope, list, resourceVersion);
    this.reach(scope, resourceVersion);
    return { scope: scope.name, resourceVersion, previousResourceVersion, synced: scopes.allReady() };
  }

  private keyProblem(problem: string, cause: unknown, key?: string): void {
    const { resource } = this;
    this.problems.push(failureOf('ERR_KEY', problem, cause, { resource, key }));
  }

  private continue(): void {
    for (const problem of this.problems.splice(0)) this.reportError(problem, true);
    this.queue.run();
  }

  /** @param lost - whether the item is lost; false if it will be retried. */
  private reportError(error: InformerError, lost: boolean): void {
    const { onError } = this.options;
    const end = onError === undefined && lost ? error : endOf(onError, error);
    if (end !== undefined) this.subscriber.error(end);
  }

  private beginBoundary(boundary: ListBoundary): void {
    if (boundary.synced) this.synced = true;
    this.begin(
      () => this.processor.listed?.(boundary),
      (failure) => {
        if (failure !== undefined) this.fail(failure.error, true);
      },
    );
  }

  private beginItem({ key, deltas }: QueuedItem<T>): void {
    const isInInitialList = !this.synced;
    const reports: InformerError[] = [];
    const afterwards: (() => void)[] = [];
    const context: ProcessContext = {
      report: (error) => reports.push(error),
      after: (action) => afterwards.push(action),
      isOver: () => this.subscriber.closed,
      fail: (error) => this.subscriber.error(error),
    };
    const { processor, taken } = this;
    const newest = deltas.at(-1);
    if (newest === undefined || newest.type === 'Deleted') taken?.delete(key);
    else taken?.set(key, newest.object);
    this.begin(
      () => processor(deltas, isInInitialList, context),
      (failure) => {
        for (const action of afterwards) action();
        for (const error of reports) this.reportError(error, true);
        if (failure === undefined) this.queue.done(key);
        else this.itemFailed({ key, deltas }, failure.error);
      },
    );
  }

  private itemFailed(item: QueuedItem<T>, error: unknown): void {
    const { queue } = this;
    const again = this.options.retryOnError === true || error instanceof RequeueError;
    if (again && queue.putBack(item)) this.hold(item.key);
    else queue.done(item.key);
    const cause = error instanceof RequeueError ? error.cause : error;
    if (!again || cause !== undefined) this.fail(cause, !again, item.key);
  }

  /** Keeps the key of a requeued item marked as being processed for `retryDelayMs`, so that the item is not taken earlier. */
  private hold(key: string): void {
    const { retryDelayMs = 1_000, scheduler } = this.options;
    follow(timer(retryDelayMs, schedulerOf(scheduler)), this.subscriber, {
      complete: () => {
        this.queue.done(key);
        this.queue.run();
      },
    });
  }

  private fail(cause: unknown, lost: boolean, key?: string): void {
    const { resource } = this;
    const what = key === undefined ? `a list of ${resource}` : `${resource} ${JSON.stringify(key)}`;
    this.reportError(failureOf('ERR_HANDLER', `Processing ${what} failed`, cause, { resource, key }), lost);
  }

  private begin(work: () => ObservableInput<R> | void, onEnd: (failure?: { readonly error: unknown }) => void): void {
    const { subscriber } = this;
    const { trampoline: turns } = this.options;
    const end = (failure?: { readonly error: unknown }): void => {
      if (subscriber.closed) return;
      onEnd(failure);
      this.queue.ended();
    };
    const start = (): void => {
      let result: ObservableInput<R> | void;
      try {
        result = work();
      } catch (error) {
        end({ error });
        return;
      }
      if (result === undefined || Array.isArray(result)) {
        for (const value of (result ?? []) as readonly R[]) if (!subscriber.closed) subscriber.next(value);
        end();
        return;
      }
      const output = result;
      const output$ = defer(() => output);
      follow(output$, subscriber, {
        next: (value) => subscriber.next(value),
        error: (error: unknown) => end({ error }),
        complete: () => end(),
      });
    };
    if (subscriber.closed) return;
    if (turns === undefined) start();
    else turns.run(() => (subscriber.closed ? undefined : start()));
  }

  private caughtUp(): void {
    if (this.subscriber.closed) return;
    this.isDoubtful = false;
    try {
      if (this.hasAdvanced) {
        this.hasAdvanced = false;
        this.processor.caughtUp?.(this.resourceVersion);
      }
    } catch (error) {
      this.fail(error, true);
    }
    if (this.ending) this.subscriber.complete();
  }
}

/**
 * Puts a queue with one entry per object between a source and a slower process. The source never waits. The process gets all changes of an object since its
 * last call for that object, in one call.
 *
 * ```text
 * source   init page(a b) ready    ~a1   ~a2   -b
 * process                    [a]------|[b]---------|[~a1 ~a2]-----|[-b]--|
 * result                              r            r'              r'' ...
 * ```
 *
 * - Items are processed one at a time, in the order in which their keys were queued; `concurrent` allows several, but never two of one key.
 *   What the results of `process` emit is emitted here.
 * - A list is collected until its `ready`, then queued in one step: each object as `Replaced`, then a `Deleted` with `finalStateUnknown` for each
 *   object of its scope that is queued, being processed or known, and not in the list. A list that is never completed has no effect.
 * - Watch events become `Added`, `Updated` and `Deleted`; the deletion of an object that is neither queued nor known is ignored. Bookmarks become no deltas:
 *   the newest version is passed to `process.caughtUp` whenever the queue is empty. Status events are dropped.
 * - `isInInitialList` is true until everything queued with the first list of each scope has been processed. `process.listed` is called
 *   then, and at the same point of every later list.
 * - Unlike with `scanToIndex`, a store behind this operator changes object by object, even while a list is processed.
 * - Errors: see `onError`. An error of the source ends the result at once; its completion ends it when everything queued has been processed.
 *   Unsubscribing unsubscribes from the running process and drops the queue.
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
  expectArgument('deltaFifo', 'process', process, rules.function);
  checkOptions<object>('deltaFifo', options, deltaFifoRules);
  return (source) =>
    new Observable((subscriber) => {
      const session = new DeltaFifoSession(subscriber, process, options);
      const resyncs = options.resync$?.subscribe({
        next: () => session.resync(),
        error: (error: unknown) => subscriber.error(error),
      });
      subscriber.add(resyncs);
      follow(source, subscriber, {
        next: (event) => session.next(event),
        complete: () => session.end(),
      });
    });
}
