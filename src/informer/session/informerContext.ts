import type { Observable, SchedulerLike } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { IndexReader } from '../../cache/store/store.js';
import type { SharedChanges } from '../../delta/share/shareWithSnapshot.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { HandlerRegistration } from '../sharedInformer.js';
import type { Drops } from '../../api/drops.js';
import type { ResyncClock } from './resyncClock.js';
import type { Worker } from '../../delta/buffers/worker.js';

/** Tracks running callbacks and their promises. */
export class Activity {
  private readonly running = new Set<Promise<unknown>>();
  private calls = 0;

  /** Makes a call that counts as running until it returns. */
  call<R>(callback: () => R): R {
    this.calls += 1;
    try {
      return callback();
    } finally {
      this.calls -= 1;
    }
  }

  isBusy(): boolean {
    return this.calls > 0 || this.running.size > 0;
  }

  /**
   * Tracks the promise that a callback returned; undefined when it returned none.
   *
   * `then` is called once only: thenables such as query builders start their work at each call.
   */
  track(returned: unknown): Promise<unknown> | undefined {
    const promise = promiseOf(returned);
    if (promise === undefined) return undefined;
    this.running.add(promise);
    const forget = (): boolean => this.running.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  /** Resolves when no callback is running. */
  async whenQuiet(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }
}

export function promiseOf(value: unknown): Promise<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return typeof (value as { readonly then?: unknown }).then === 'function' ? Promise.resolve(value) : undefined;
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the getter has thrown
    return Promise.reject(error);
  }
}

/** A consumer that gets events one at a time. */
export interface Consumer {
  /** Its name in messages, and in traces. */
  readonly who: string;
  readonly name: string;
  /** Its failures. */
  readonly failures: { failed: number; failure?: string };
}

/** The consumers of an informer that get events one at a time. */
export type Consumers = Map<Pick<Worker<never>, 'figures' | 'waiting'>, Consumer>;

/** A handler as its informer knows it. */
export interface RunningHandler extends HandlerRegistration {
  /** Begins to call the handler, which may stop the informer. */
  follow(): void;
  /** Whether a call of it is running. */
  isBusy(): boolean;
}

/** The part of an informer that handlers and other consumers use. */
export interface InformerContext<T> {
  /** Of the objects, for errors. */
  readonly resource: string;
  readonly changes$: SharedChanges<T>;
  /** The changes, with resync updates at the consumer's own period. */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly changesOf: (resyncPeriodMs?: number) => Observable<ResourceChange<T>>;
  readonly indexer: IndexReader<T>;
  readonly turns: Trampoline;
  readonly scheduler: SchedulerLike;
  readonly clock: ResyncClock<T>;
  readonly activity: Activity;
  readonly report: (error: InformerError) => void;
  readonly drops$: Drops;
  /** Tells the parts of an event that a consumer gets. */
  readonly delivered: ((to: string, event: ResourceEvent<T>) => void) | undefined;
  readonly consumers: Consumers;
}
