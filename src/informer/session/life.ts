import { Observable, type SchedulerLike, type Subscription } from 'rxjs';
import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import type { InformerHealth } from '../../api/events.js';
import type { CollectionFacts } from '../../api/running/facts.js';
import { failureFacts, type RunningCache } from '../../api/running/registry.js';
import type { Indexer } from '../../cache/store/store.js';
import type { SharedChanges } from '../../delta/share/shareWithSnapshot.js';
import { waitFor, type WaitOptions } from '../waiting/waitFor.js';

interface LifeInit<T> {
  readonly what: 'informer' | 'view';
  readonly name: string;
  /** The resource, for errors. */
  readonly resource: string;
  readonly scheduler: SchedulerLike;
  readonly indexer: Indexer<T>;
  readonly health: () => InformerHealth;
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly changes: () => SharedChanges<T>;
  /** Emits once the content is complete, at once if it is; completes or fails if it ends before that. */
  readonly synced$: Observable<void>;
}

/** The life of an informer or a view: what keeps it running, waits for its sync, and its entry in the registry. */
export class Life<T> {
  isOver = false;
  private readonly init: LifeInit<T>;
  /** Its own subscription, which keeps it running after `start()` or a successful wait. */
  private held: Subscription | undefined;
  /** The number of subscribers that do not keep it running. */
  private watchers = 0;

  constructor(init: LifeInit<T>) {
    this.init = init;
  }

  start(): void {
    this.expectRunnable('be started');
    this.held ??= this.init.changes().subscribe({ error: () => undefined });
  }

  /** @throws InformerError with the code ERR_STOPPED after the end. */
  expectRunnable(what: string): void {
    if (this.isOver) throw this.stoppedError(`cannot ${what}, it has been stopped`);
  }

  /** Marks it as ended. Returns whether it was not before. */
  end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.held = undefined;
    return true;
  }

  /** Waits for the sync. A successful wait keeps it running; one that is given up does not. */
  whenSynced(options: WaitOptions): Promise<void> {
    const { scheduler, changes, synced$ } = this.init;
    const condition = new Observable<void>((subscriber) => {
      if (this.isOver) {
        subscriber.complete();
        return;
      }
      const error = (thrown: unknown): void => subscriber.error(thrown);
      const complete = (): void => subscriber.complete();
      const hold = changes().subscribe({ error, complete });
      subscriber.add(() => {
        if (this.held !== hold) hold.unsubscribe();
      });
      const next = (): void => {
        this.held ??= hold;
        subscriber.next();
      };
      subscriber.add(synced$.subscribe({ next, error, complete }));
    });
    return waitFor(condition, options, {
      owner: 'whenSynced',
      scheduler,
      ended: () => this.stoppedError('has been stopped'),
      tooLate: () => this.tooLateError(options.timeoutMs ?? Infinity),
    });
  }

  facts(): CollectionFacts {
    const { name, scheduler, indexer, health, changes } = this.init;
    const { state, since, synced, degraded, error } = health();
    const { subscribers, ...figures } = changes().figures();
    const at = scheduler.now();
    return {
      ...{ name, at, state, synced, degraded, ...figures },
      forMs: at - since,
      error: failureFacts(error),
      objects: indexer.listKeys().length,
      subscribers: subscribers - (this.held === undefined ? 0 : 1) - this.watchers,
    };
  }

  /** The cache, as the registry shows it. */
  cache(explain?: (key: string) => unknown): RunningCache {
    const { indexer, changes } = this.init;
    return {
      keys: () => indexer.listKeys(),
      get: (key) => indexer.getByKey(key),
      ...(explain !== undefined && { explain }),
      follow: (next) => {
        const following = changes().follow(next, true);
        this.watchers += 1;
        return () => {
          following.unsubscribe();
          this.watchers -= 1;
        };
      },
    };
  }

  /** The error of a call after the end. Its cause is the error that ended it, if any. */
  stoppedError(what: string): InformerError {
    return this.errorOf('ERR_STOPPED', what);
  }

  private tooLateError(timeoutMs: number): InformerError {
    const { state, error } = this.init.health();
    return this.errorOf('ERR_TIMEOUT', `did not sync within ${timeoutMs} ms: ${error === undefined ? `it is ${state}` : error.message}`);
  }

  private errorOf(code: InformerErrorCode, problem: string): InformerError {
    const { what, name, resource, health } = this.init;
    return new InformerError({ code, message: `The ${what} ${name} ${problem}`, cause: health().error, resource });
  }
}
