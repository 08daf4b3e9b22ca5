import { type Observable, of, Subject } from 'rxjs';
import { checkOptions } from '../../api/options/checkOptions.js';
import { checkHandler } from '../../delta/checkHandler.js';
import { Activity } from '../session/activity.js';
import { type HandlerOptions, type HandlerRegistration, handlerRules, type ResourceEventHandler } from './eventHandler.js';
import type { InformerContext } from '../session/informerContext.js';
import { resyncOf } from '../session/resyncOf.js';
import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { callHandler } from '../../delta/callHandler.js';
import { createEventBuffer } from '../../delta/buffers/createEventBuffer.js';
import { Worker } from '../../delta/buffers/worker.js';
import { createCrossingFilter, type CrossingFilter } from '../../delta/share/crossingFilter.js';
import { overflowError } from '../../delta/buffers/workThrough.js';
import { handlerError } from '../session/informerErrors.js';
import { waitFor } from '../waiting/waitFor.js';
import type { WaitOptions } from '../waiting/waitOptions.js';

interface RegistrationContext<T> extends Pick<InformerContext<T>, 'name' | 'indexer' | 'scheduler' | 'turns' | 'report' | 'trace'> {
  /** Called once, when the handler is not to be told anything any more. */
  readonly onRemove: (registration: Registration<T>) => void;
}

/** One handler of an informer: what waits for it, and whether it is through with its snapshot. It outlives the informer's sessions. */
class Registration<T> implements HandlerRegistration {
  readonly name: string;
  readonly removed: Promise<void>;
  private readonly handler: ResourceEventHandler<T>;
  private readonly context: RegistrationContext<T>;
  private readonly worker: Worker<T>;
  private readonly filter: CrossingFilter<T> | undefined;
  private readonly activity = new Activity();
  private readonly synced$ = new Subject<void>();
  private readonly forget: (() => void) | undefined;
  private isSynced = false;
  private isRemoved = false;
  private resolveRemoved!: (quiet: Promise<void>) => void;

  constructor(handler: ResourceEventHandler<T>, options: HandlerOptions<T>, context: RegistrationContext<T>) {
    this.name = context.name;
    this.handler = handler;
    this.context = context;
    this.filter = options.filter === undefined ? undefined : createCrossingFilter(options.filter);
    this.worker = new Worker({
      buffer: createEventBuffer(options, context.indexer),
      run: (event, done) => this.run(event, done),
      onOverflow: () => this.overflow(),
      sliceMs: options.sliceMs,
      scheduler: context.scheduler,
      turns: context.turns,
    });
    this.forget = context.trace?.watch(this.worker, context.name);
    this.removed = new Promise((resolve) => {
      this.resolveRemoved = resolve;
    });
  }

  take(change: ResourceChange<T>): void {
    this.worker.take(change);
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    const ended = (): Error => this.errorOf('ERR_STOPPED', 'was removed before it had synced');
    const tooLate = (): Error => this.errorOf('ERR_TIMEOUT', `did not sync within ${options.timeoutMs ?? 0} ms`);
    const synced: Observable<void> = this.isSynced ? of(undefined) : this.synced$;
    return waitFor(synced, options, { owner: 'whenSynced', scheduler: this.context.scheduler, ended, tooLate });
  }

  remove(): void {
    if (this.isRemoved) return;
    this.isRemoved = true;
    this.worker.stop();
    this.forget?.();
    this.synced$.complete();
    this.resolveRemoved(this.activity.whenQuiet());
    this.context.onRemove(this);
  }

  private run(event: ResourceEvent<T>, done: () => void): void {
    if (event.type === 'synced') this.sync();
    let promise: Promise<unknown> | undefined;
    try {
      const passed = this.filter === undefined ? event : this.filter(event);
      if (passed !== undefined) this.context.trace?.delivery(this.name, passed);
      promise = passed && this.activity.track(callHandler(this.handler, passed));
    } catch (error) {
      this.failed(error, event);
    }
    if (promise === undefined) {
      done();
      return;
    }
    promise.then(done, (error: unknown) => {
      this.failed(error, event);
      done();
    });
  }

  private sync(): void {
    if (this.isSynced) return;
    this.isSynced = true;
    this.synced$.next();
  }

  private overflow(): void {
    this.context.report(overflowError(`The handler ${this.name}`));
    this.remove();
  }

  private failed(cause: unknown, event: ResourceEvent<T>): void {
    this.context.report(handlerError(`The handler ${this.name}`, cause, event));
  }

  private errorOf(code: InformerErrorCode, what: string): InformerError {
    return new InformerError({ code, message: `The handler ${this.name} ${what}` });
  }
}

/** The handlers of an informer. They follow its sessions, and start none. */
export class HandlerRegistry<T> {
  private readonly context: InformerContext<T>;
  private readonly registrations = new Set<Registration<T>>();
  /** Those that are removed, as long as one of their calls runs. */
  private readonly leaving = new Activity();
  private count = 0;

  constructor(context: InformerContext<T>) {
    this.context = context;
  }

  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration {
    checkHandler('addEventHandler', handler);
    checkOptions('addEventHandler', options, handlerRules);
    const { name, changes$, indexer, turns, clock, hasSynced } = this.context;
    this.count += 1;
    const registration = new Registration(handler, options, {
      ...this.context,
      name: options.name ?? `${name} handler ${this.count}`,
      onRemove: (removed) => {
        this.registrations.delete(removed);
        following.unsubscribe();
        void this.leaving.track(removed.removed);
      },
    });
    const resync = (): void => {
      if (registration.hasSynced() && hasSynced()) registration.take(resyncOf(indexer));
    };
    const following = clock.join(options.resyncPeriodMs, () => turns.tell(resync));
    this.registrations.add(registration);
    following.add(changes$.follow((change) => registration.take(change)));
    return registration;
  }

  /** Removes all handlers, and resolves when none of their calls runs any more. */
  stop(): Promise<void> {
    for (const registration of [...this.registrations]) registration.remove();
    return this.leaving.whenQuiet();
  }
}
